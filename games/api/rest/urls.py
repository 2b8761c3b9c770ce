"""The addresses of the REST face."""

from django.urls import include, path

from games.api.rest import audit, catalogue, games, health, histories, lobbies

urlpatterns = [
    path("auth/", include("accounts.api")),
    path("rules/", catalogue.RulesList.as_view()),
    path("rules/<slug:slug>/", catalogue.RulesDetail.as_view()),
    path("rules/<slug:slug>/book/", catalogue.Book.as_view()),
    path("lobbies/", lobbies.Lobbies.as_view()),
    path("lobbies/join/", lobbies.JoinByCode.as_view()),
    path("lobbies/<uuid:lobby>/", lobbies.Lobby.as_view()),
    path("lobbies/<uuid:lobby>/join/", lobbies.Join.as_view()),
    path("lobbies/<uuid:lobby>/leave/", lobbies.Leave.as_view()),
    path("lobbies/<uuid:lobby>/ready/", lobbies.Ready.as_view()),
    path("lobbies/<uuid:lobby>/bots/", lobbies.Bots.as_view()),
    path("lobbies/<uuid:lobby>/seats/<int:number>/", lobbies.Seat.as_view()),
    path("lobbies/<uuid:lobby>/start/", lobbies.Start.as_view()),
    path("games/", games.Games.as_view()),
    path("games/<uuid:game>/", games.Game.as_view()),
    path("games/<uuid:game>/view/", games.View.as_view()),
    path("games/<uuid:game>/commits/", games.Commits.as_view()),
    path("games/<uuid:game>/legal/", games.Legal.as_view()),
    path("games/<uuid:game>/commands/", games.Commands.as_view()),
    path("games/<uuid:game>/bets/", histories.BetsInGame.as_view()),
    path("games/<uuid:game>/transfers/", histories.TransfersInGame.as_view()),
    path("games/<uuid:game>/purses/", histories.Purses.as_view()),
    path("bets/", histories.Bets.as_view()),
    path("bets/export/", histories.ExportedBets.as_view()),
    path("accounts/", histories.Accounts.as_view()),
    path("accounts/<int:account>/balance/", histories.Balance.as_view()),
    path("transfers/", histories.Transfers.as_view()),
    path("audit/checkpoint/", audit.Checkpoint.as_view()),
    path("audit/bundle/", audit.Bundle.as_view()),
    path("audit/games/<uuid:game>/bundle/", audit.BundleOfGame.as_view()),
    path("audit/games/<uuid:game>/bets/<int:number>/receipt/", audit.Receipt.as_view()),
    path("health/live/", health.Live.as_view()),
    path("health/ready/", health.Ready.as_view()),
]
