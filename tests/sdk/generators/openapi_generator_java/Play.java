// A race with a Java client of openapi-generator: java -cp ... Play URL

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import race.ApiClient;
import race.ApiException;
import race.api.AuditApi;
import race.api.AuthApi;
import race.api.GamesApi;
import race.api.LobbiesApi;
import race.model.GameOptionsInput;
import race.model.NewCommand;
import race.model.NewGuest;
import race.model.NewLobby;
import race.model.ReadySetBetReadySetBetOptionsInput;

class Play {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    String token = new AuthApi(client).createGuest(null, new NewGuest()).getToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

    LobbiesApi lobbies = new LobbiesApi(client);
    GamesApi games = new GamesApi(client);
    var options = new ReadySetBetReadySetBetOptionsInput().races(1).rollMs(50).pauseMs(0);
    NewLobby body = new NewLobby().slug("ready_set_bet").options(new GameOptionsInput(options));
    UUID lobby = lobbies.createLobby(body).getId();
    lobbies.addBot(lobby, null);
    UUID game = lobbies.startGame(lobby, null).getId();

    int accepted = 0;
    for (String ended = ""; ended.isEmpty(); Thread.sleep(100)) {
      List<Object> commands = games.listLegalCommands(game, null).getCommands();
      var bet = commands.stream().filter(each -> isBet(each)).findFirst();
      if (bet.isPresent()) {
        try {
          games.play(game, new NewCommand().id(UUID.randomUUID()).command(bet.get()));
          accepted += 1;
        } catch (ApiException refused) {
          if (refused.getCode() != 409) throw refused;
        }
      }
      ended = games.getGame(game).getEnded().getValue();
    }

    long version = games.getView(game, null).getVersion();
    int commits = games.listCommits(game, null, null).getCommits().size();
    int lines = 0;
    while (lines == 0) {
      Thread.sleep(200); // the log seals the end of a game within seconds
      try {
        lines = Files.readAllLines(new AuditApi(client).getBundle(game, null).toPath()).size();
      } catch (ApiException refused) {
        if (refused.getCode() != 503) throw refused;
      }
    }
    System.out.printf(
        "{\"accepted\": %d, \"version\": %d, \"commits\": %d, \"lines\": %d}%n",
        accepted, version, commits, lines);
  }

  static boolean isBet(Object command) {
    return "place_bet".equals(((Map<?, ?>) command).get("type"));
  }
}
