// words/en.ts
var en = {
  skip: "Skip to the content",
  language: "Language",
  connecting: "Connecting …",
  reconnecting: "The connection was lost. Reconnecting; nothing you sent is lost.",
  unreachable: "The server does not answer. Check your connection, then try again.",
  "start.title": "Games that bet",
  "start.lead": "Play at once against bots, join an open table, or watch. You need no account.",
  "start.ready": "The server is up.",
  "start.games": "The games",
  "start.play": "Play now against bots",
  "start.new_table": "Open a table",
  "start.open": "Open tables",
  "start.watch": "Games to watch",
  "start.no_tables": "No table is open. Open one above.",
  "start.no_games": "No game is running.",
  "start.join": "Join",
  "start.watch_one": "Watch",
  "start.watch_of": "Watch the game of {names}",
  "start.back": "Go back",
  "start.more": "For developers and operators",
  "start.docs": "Guides",
  "start.reference": "API reference",
  "start.graphql": "GraphQL editor",
  "start.admin": "Administration",
  seats: "{least} to {most} players",
  "lobby.title": "Table",
  "lobby.lead": "The game begins when the host starts it.",
  "lobby.free": "Free seat",
  "lobby.bot": "Bot",
  "lobby.is_ready": "Ready",
  "lobby.add_bot": "Add a bot",
  "lobby.start": "Start the game",
  "lobby.ready": "I am ready",
  "lobby.not_ready": "I am not ready",
  "lobby.leave": "Leave",
  "lobby.invite": "Copy the link to this table",
  "lobby.copied": "The link is in the clipboard.",
  race: "Race {race} of {races}",
  dice: "Dice: {one} and {two}",
  "dice.none": "No dice yet",
  track: "Track",
  "track.at": "space {position} of {finish}",
  calls: "What happened",
  board: "Betting board",
  "board.colour": "Colour bet: {name}",
  "board.pays": "pays {gain} times the token",
  "board.pays_and_costs": "pays {gain} times the token, costs {loss} if lost",
  "board.closed": "closed in this game",
  "board.taken": "{player} has a {token} here",
  hand: "Your tokens",
  "hand.tokens": "Token for the next bet",
  "hand.token": "Token {value}",
  "hand.bonus_token": "Bonus token {value}",
  "hand.empty": "All your tokens are on the board.",
  "hand.spectator": "You are watching this game.",
  "hand.money": "You have {money} €",
  "hand.help": "Choose a token, then a spot.",
  "vip.choose": "Keep one VIP card:",
  "vip.wait": "You have chosen. The others still choose.",
  "offer.accept": "Announce the next race",
  "offer.decline": "Decline",
  "announcer.skip": "Leave the other tokens off the board",
  "announcer.start": "Start the race",
  "announcer.roll": "Roll the dice",
  "seats.title": "Players",
  "seats.you": "(you)",
  "seats.announcer": "(announcer)",
  "seats.tokens": "Tokens in hand: {tokens}",
  "results.title": "Result of race {race}",
  "results.winner": "Winner: {names}",
  "results.again": "Play again",
  "results.player": "Player",
  "results.bets": "Bets",
  "results.money": "Money",
  "countdown.start": "Start in {seconds} s",
  "countdown.roll": "Next roll in {seconds} s",
  "countdown.next": "Next race in {seconds} s",
  "countdown.choice": "Choose within {seconds} s",
  "generic.commands": "Your turn",
  "generic.wait": "There is nothing for you to do right now.",
  "generic.own": "A command as JSON",
  "generic.send": "Send",
  "generic.view": "The table",
  "generic.show": "Show",
  refused: "The server refused this ({code}).",
  "refused.already_chosen": "You have already chosen.",
  "refused.announcer_bets_before_the_race": "The announcer bets before the race only.",
  "refused.announcer_cannot_bet": "The announcer does not bet in this game.",
  "refused.betting_closed": "Bets are closed: three horses have crossed the red line.",
  "refused.card_not_face_up": "This card is not face up.",
  "refused.column_closed": "This column is closed in a game with so few players.",
  "refused.dice_not_ready": "The dice are not ready yet.",
  "refused.game_over": "The game is over.",
  "refused.no_such_bonus_token": "You do not have this bonus token.",
  "refused.no_such_token": "You do not have this token in hand.",
  "refused.no_tokens_left": "You have no tokens left in this race.",
  "refused.not_in_your_hand": "This card is not in your hand.",
  "refused.one_token_per_exotic": "You already have a token on this card: only one each.",
  "refused.race_has_started": "The race has started.",
  "refused.race_not_running": "You can bet as soon as the horses are off.",
  "refused.spot_taken": "Somebody was faster: this spot is taken.",
  "refused.tokens_left": "Place or skip your remaining tokens first.",
  "refused.unknown_spot": "There is no such spot.",
  "refused.unknown_game": "There is no such game, or you may not see it.",
  "refused.unknown_lobby": "There is no such table, or you may not see it.",
  "refused.not_your_turn": "It is not your turn.",
  "refused.lobby_full": "This table is full.",
  "refused.too_many_requests": "Too many requests. Wait a moment.",
  "refused.game_ended": "The game has ended."
};

// words/fr.ts
var fr = {
  skip: "Aller au contenu",
  language: "Langue",
  connecting: "Connexion en cours…",
  reconnecting: "Connexion perdue. Reconnexion en cours : rien de ce que vous avez envoyé n’est perdu.",
  unreachable: "Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez.",
  "start.title": "Des jeux où l’on parie",
  "start.lead": "Jouez tout de suite contre des robots, rejoignez une table ou regardez. Aucun compte n’est nécessaire.",
  "start.ready": "Le serveur est en marche.",
  "start.games": "Les jeux",
  "start.play": "Jouer contre des robots",
  "start.new_table": "Ouvrir une table",
  "start.open": "Tables ouvertes",
  "start.watch": "Parties à regarder",
  "start.no_tables": "Aucune table n’est ouverte. Ouvrez-en une ci-dessus.",
  "start.no_games": "Aucune partie en cours.",
  "start.join": "Rejoindre",
  "start.watch_one": "Regarder",
  "start.watch_of": "Regarder la partie de {names}",
  "start.back": "Y retourner",
  "start.more": "Pour les développeurs et les exploitants",
  "start.docs": "Guides (en anglais)",
  "start.reference": "Référence de l’API (en anglais)",
  "start.graphql": "Éditeur GraphQL (en anglais)",
  "start.admin": "Administration",
  seats: "De {least} à {most} joueurs",
  "lobby.title": "Table",
  "lobby.lead": "La partie commence quand l’hôte la lance.",
  "lobby.free": "Place libre",
  "lobby.bot": "Robot",
  "lobby.is_ready": "Prêt",
  "lobby.add_bot": "Ajouter un robot",
  "lobby.start": "Lancer la partie",
  "lobby.ready": "Je suis prêt",
  "lobby.not_ready": "Je ne suis pas prêt",
  "lobby.leave": "Quitter la table",
  "lobby.invite": "Copier le lien de cette table",
  "lobby.copied": "Le lien est dans le presse-papiers.",
  race: "Course {race} sur {races}",
  dice: "Dés : {one} et {two}",
  "dice.none": "Les dés n’ont pas encore été lancés",
  track: "Piste",
  "track.at": "case {position} sur {finish}",
  calls: "Le fil de la partie",
  board: "Plateau de paris",
  "board.colour": "Pari de couleur : {name}",
  "board.pays": "rapporte {gain} fois le jeton",
  "board.pays_and_costs": "rapporte {gain} fois le jeton, coûte {loss} en cas d’échec",
  "board.closed": "fermé dans cette partie",
  "board.taken": "{player} y a misé un {token}",
  hand: "Vos jetons",
  "hand.tokens": "Jeton du prochain pari",
  "hand.token": "Jeton {value}",
  "hand.bonus_token": "Jeton bonus {value}",
  "hand.empty": "Tous vos jetons sont sur le plateau.",
  "hand.spectator": "Vous regardez cette partie.",
  "hand.money": "Vous avez {money} €",
  "hand.help": "Choisissez un jeton, puis une case.",
  "vip.choose": "Gardez une carte VIP :",
  "vip.wait": "Votre choix est fait. Les autres réfléchissent encore.",
  "offer.accept": "Être speaker à la prochaine course",
  "offer.decline": "Refuser",
  "announcer.skip": "Garder les autres jetons",
  "announcer.start": "Donner le départ",
  "announcer.roll": "Lancer les dés",
  "seats.title": "Joueurs",
  "seats.you": "(vous)",
  "seats.announcer": "(speaker)",
  "seats.tokens": "Jetons en main : {tokens}",
  "results.title": "Résultat de la course {race}",
  "results.winner": "Vainqueur : {names}",
  "results.again": "Rejouer",
  "results.player": "Joueur",
  "results.bets": "Paris",
  "results.money": "Argent",
  "countdown.start": "Départ dans {seconds} s",
  "countdown.roll": "Prochain lancer dans {seconds} s",
  "countdown.next": "Prochaine course dans {seconds} s",
  "countdown.choice": "Choisissez avant {seconds} s",
  "generic.commands": "À vous de jouer",
  "generic.wait": "Vous n’avez rien à faire pour le moment.",
  "generic.own": "Une commande en JSON",
  "generic.send": "Envoyer",
  "generic.view": "La table",
  "generic.show": "Afficher",
  refused: "Le serveur a refusé cette action ({code}).",
  "refused.already_chosen": "Vous avez déjà choisi.",
  "refused.announcer_bets_before_the_race": "Le speaker ne parie qu’avant la course.",
  "refused.announcer_cannot_bet": "Le speaker ne parie pas dans cette partie.",
  "refused.betting_closed": "Les paris sont clos : trois chevaux ont passé la ligne rouge.",
  "refused.card_not_face_up": "Cette carte n’est pas visible.",
  "refused.column_closed": "Cette colonne est fermée quand les joueurs sont si peu nombreux.",
  "refused.dice_not_ready": "Les dés ne sont pas encore prêts.",
  "refused.game_over": "La partie est terminée.",
  "refused.no_such_bonus_token": "Vous n’avez pas ce jeton bonus.",
  "refused.no_such_token": "Vous n’avez pas ce jeton en main.",
  "refused.no_tokens_left": "Il ne vous reste plus de jeton pour cette course.",
  "refused.not_in_your_hand": "Cette carte n’est pas dans votre main.",
  "refused.one_token_per_exotic": "Vous avez déjà un jeton sur cette carte : un seul par joueur.",
  "refused.race_has_started": "La course a commencé.",
  "refused.race_not_running": "Vous pourrez parier dès que les chevaux seront partis.",
  "refused.spot_taken": "Trop tard : cette case est déjà prise.",
  "refused.tokens_left": "Placez d’abord vos autres jetons, ou gardez-les.",
  "refused.unknown_spot": "Cette case n’existe pas.",
  "refused.unknown_game": "Cette partie n’existe pas, ou vous ne pouvez pas la voir.",
  "refused.unknown_lobby": "Cette table n’existe pas, ou vous ne pouvez pas la voir.",
  "refused.not_your_turn": "Ce n’est pas à vous de jouer.",
  "refused.lobby_full": "Cette table est complète.",
  "refused.too_many_requests": "Trop de demandes. Attendez un instant.",
  "refused.game_ended": "La partie est terminée."
};

// words.ts
var KEPT = "railbird.language";
var language = choose();
var words = language === "fr" ? fr : en;
function choose() {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag === "en" || tag === "fr");
  return known === "fr" ? "fr" : "en";
}
function chooseLanguage(chosen) {
  localStorage.setItem(KEPT, chosen);
  location.reload();
}
function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
function sayIfKnown(key) {
  return key in words ? words[key] : void 0;
}
function inWords(text) {
  return text[language];
}

// calls.ts
var Caller = class {
  #book;
  #players;
  /** `players` are the names by seat. */
  constructor(book, players) {
    this.#book = book;
    this.#players = players;
  }
  /** All that is said of an event. */
  calls(event) {
    const fields = event;
    return (this.#book.calls ?? []).filter((call) => call.event === event.type && fits(call, fields)).map((call) => call[language].replace(/\{([\w.]+)\}/g, (_, path) => this.#fill(path, fields)));
  }
  /** The name of a value in this field, as the book has it; else the value itself. */
  name(field, value) {
    if (isText(value)) return inWords(value);
    if (Array.isArray(value)) return value.map((item) => this.name(field, item)).join(", ");
    if (field === "seat" && typeof value === "number") return this.#players[value] ?? String(value);
    const text = this.#book.names?.[field]?.[String(value)];
    return text ? inWords(text) : String(value);
  }
  #fill(path, event) {
    const parts = path.split(".");
    const value = parts.reduce((found, part) => found?.[part], event);
    return this.name(parts.at(-1), value);
  }
};
function fits(call, event) {
  return Object.entries(call.where ?? {}).every(
    ([field, values]) => values.includes(event[field])
  );
}
function isText(value) {
  return typeof value === "object" && value !== null && "en" in value && "fr" in value;
}

// dom.ts
function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== void 0 && value !== null)
      element.setAttribute(name, String(value));
  }
  element.append(...shown(children));
  return element;
}
function shown(children) {
  return children.filter((child) => child !== null && child !== void 0 && child !== false).map((child) => typeof child === "number" ? String(child) : child);
}
function redraw(element, from, draw) {
  const key = JSON.stringify(from);
  if (drawnFrom.get(element) === key) return;
  drawnFrom.set(element, key);
  const hadFocus = element.contains(document.activeElement);
  element.replaceChildren(...shown(draw()));
  if (hadFocus) element.querySelector("button, [tabindex='0']")?.focus();
}
var drawnFrom = /* @__PURE__ */ new WeakMap();
function motionIsReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// follow.ts
var LOOK_AT_CONNECTION_MS = 500;
async function follow(client, game, table2, follower) {
  let wasConnected = true;
  const clock = setInterval(() => {
    if (table2.isConnected === wasConnected) return;
    wasConnected = table2.isConnected;
    follower.onConnection(wasConnected);
  }, LOOK_AT_CONNECTION_MS);
  const looks = new Looks(table2, follower);
  try {
    for await (const news of table2) {
      if (news.type === "view") {
        follower.onView(news);
      } else {
        follower.onCommit(news);
        looks.ask();
      }
    }
  } finally {
    clearInterval(clock);
    follower.onConnection(true);
  }
  const { version, seat, ended, view } = await client.getView(game);
  follower.onView({ type: "view", version, seat, ended, view });
}
var Looks = class {
  #table;
  #follower;
  #isAsking = false;
  #isStale = false;
  constructor(table2, follower) {
    this.#table = table2;
    this.#follower = follower;
  }
  async ask() {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.#follower.onView(await this.#table.look());
      }
    } catch {
    } finally {
      this.#isAsking = false;
    }
  }
};

// ../../sdk/typescript/src/backoff.ts
var FIRST_MS = 250;
var MOST_MS = 15e3;
var AGAIN = /* @__PURE__ */ new Set(["busy", "unavailable", "outcome_unknown", "too_many_commands"]);
function pauseMs(failures) {
  return 50 + Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** failures);
}
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// ../../sdk/typescript/src/problems.ts
var ServerError = class extends Error {
  constructor(message2) {
    super(message2);
    this.name = new.target.name;
  }
};
var Problem = class extends ServerError {
  code;
  data;
  /** Where the game stood when it refused. */
  version;
  /** That of HTTP; none for what was refused on a socket. */
  status;
  title;
  constructor(code, data, { version, status, title } = {}) {
    super(Object.keys(data).length ? `${code} ${JSON.stringify(data)}` : code);
    this.code = code;
    this.data = data;
    this.version = version ?? null;
    this.status = status;
    this.title = title ?? "";
  }
};
var Closed = class extends Problem {
  closeCode;
  constructor(closeCode, code, data) {
    super(code, data);
    this.closeCode = closeCode;
  }
};
var Unreachable = class extends ServerError {
};
var Unanswered = class extends ServerError {
  id;
  constructor(id2) {
    super(`command ${id2} was not answered in time`);
    this.id = id2;
  }
};
var FellBehind = class extends ServerError {
};

// ../../sdk/typescript/src/stream.ts
var SILENT_MAX_S = 40;
var NEWS_MAX = 1e5;
var OPEN_WITHIN_S = 10;
var FINAL = /* @__PURE__ */ new Set([1003, 1008, 1009]);
var Lost = class extends Error {
};
var Stream = class {
  news = [];
  /** How far the news have come; none until the first. The next connection goes on from there. */
  after;
  failure;
  isClosed = false;
  #address;
  #token;
  #slug;
  #readers = [];
  #socket;
  #clock;
  #coming;
  #failures = 0;
  #silentS = 0;
  #lastError = { code: "closed", data: {} };
  constructor(address, token, { after, slug }) {
    this.#address = address;
    this.#token = token;
    this.#slug = slug;
    this.after = after;
    this.#connect();
  }
  /** Whether nothing more is going to be told. */
  isOver() {
    return false;
  }
  /** A connection stands. */
  resume() {
  }
  /** No connection will stand any more. */
  end(_) {
  }
  // What it is for whoever follows it
  [Symbol.asyncIterator]() {
    return this;
  }
  async next() {
    while (!this.news.length && !this.isClosed && !this.isOver())
      await new Promise((resolve) => this.#readers.push(resolve));
    const value = this.news.shift();
    if (value) return { value, done: false };
    if (this.failure) throw this.failure;
    return this.return();
  }
  async return() {
    this.close();
    return { value: void 0, done: true };
  }
  /** Leave. What has not been answered then is not known. */
  close() {
    this.#end(void 0);
  }
  tell(news) {
    if (this.news.length >= NEWS_MAX) throw new FellBehind(`${NEWS_MAX} pieces of news wait to be read`);
    this.news.push(news);
    this.wake();
  }
  /** Whether a connection stands. The stream looks for a new one by itself. */
  get isConnected() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }
  /** Send a frame, if there is a connection. The next one sends again what has not been answered. */
  say(frame) {
    if (this.isConnected) this.#socket.send(frame);
  }
  // The connection
  #connect() {
    const asked = new URLSearchParams();
    if (this.#slug !== void 0) asked.set("slug", this.#slug);
    if (this.after !== void 0) asked.set("after", String(this.after));
    const socket = new WebSocket(asked.size ? `${this.#address}?${asked}` : this.#address);
    this.#socket = socket;
    this.#silentS = SILENT_MAX_S - OPEN_WITHIN_S;
    this.#clock = setInterval(() => this.#tick(), 1e3);
    socket.onopen = () => {
      this.#silentS = 0;
      this.say(JSON.stringify({ type: "authenticate", token: this.#token }));
      this.resume();
    };
    socket.onmessage = (message2) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(message2.data)));
    };
    socket.onclose = (closed) => {
      if (socket === this.#socket) this.#lost(closed.code);
    };
  }
  #hear(frame) {
    this.#failures = 0;
    this.#silentS = 0;
    if (frame.type === "error") {
      this.#lastError = frame;
      return;
    }
    try {
      this.take(frame);
    } catch (error) {
      if (error instanceof Lost) return this.#lost(1006);
      if (error instanceof ServerError) return this.#end(error);
      throw error;
    }
    if (this.isOver()) this.wake();
  }
  /** Once a second: a connection that does not even bring heartbeats is given up. */
  #tick() {
    this.#silentS += 1;
    if (this.#silentS > SILENT_MAX_S) this.#lost(1006);
  }
  /** This connection is of no use any more; the next one resumes. */
  #lost(code) {
    this.#drop();
    if (FINAL.has(code) || code >= 4400 && code < 4500 && code !== 4408) {
      this.#end(new Closed(code, this.#lastError.code, this.#lastError.data));
    } else if (!this.isClosed) {
      this.#coming = setTimeout(() => this.#connect(), pauseMs(this.#failures++));
    }
  }
  #drop() {
    const socket = this.#socket;
    this.#socket = void 0;
    clearInterval(this.#clock);
    clearTimeout(this.#coming);
    socket?.close();
  }
  #end(failure) {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.#drop();
    this.end(failure);
    this.wake();
  }
  /** Have who waits for news look again. */
  wake() {
    for (const read of this.#readers.splice(0)) read();
  }
};

// ../../sdk/typescript/src/lobbies.ts
var Room = class extends Stream {
  #hasClosed = false;
  /** How far the news have come; none until the first. */
  get version() {
    return this.after;
  }
  isOver() {
    return this.#hasClosed;
  }
  take(frame) {
    switch (frame.type) {
      case "room":
        if (this.after === void 0) this.#tell(frame, []);
        this.#see(frame.lobby);
        break;
      case "lobby_events":
        this.#takeEvents(frame);
        break;
      case "presence":
        this.tell(frame);
        break;
      case "heartbeat":
        if (this.after !== void 0 && frame.version > this.after) throw new Lost();
    }
  }
  #takeEvents(frame) {
    const known = this.after;
    const fresh = frame.events.filter(({ version }) => known === void 0 || version > known);
    if (known === void 0 || fresh.some(({ version }, index) => version !== known + 1 + index)) throw new Lost();
    if (!fresh.length) return;
    this.#tell(frame, fresh);
    this.#see(frame.lobby);
  }
  #tell({ version, lobby }, events) {
    this.after = version;
    this.tell({ type: "news", version, events, lobby });
  }
  /** Whether this is the end: who catches up is told of it by the lobby before the last events have come. */
  #see(lobby) {
    this.#hasClosed = lobby.status === "closed" && lobby.version === this.after;
  }
};
var Lobbies = class extends Stream {
  #open = /* @__PURE__ */ new Map();
  #coming = /* @__PURE__ */ new Map();
  /** Half a list is none: the next connection brings all of it. */
  resume() {
    this.#coming.clear();
  }
  take(frame) {
    switch (frame.type) {
      case "lobbies":
        for (const lobby of frame.lobbies) this.#coming.set(lobby.id, lobby);
        if (!frame.complete) return;
        [this.#open, this.#coming] = [this.#coming, /* @__PURE__ */ new Map()];
        this.#show(frame.cursor);
        break;
      case "changes":
        for (const lobby of frame.lobbies) {
          if (lobby.status === "open") this.#open.set(lobby.id, lobby);
          else this.#open.delete(lobby.id);
        }
        for (const id2 of frame.gone) this.#open.delete(id2);
        this.#show(frame.cursor);
        break;
      case "heartbeat":
        this.after = frame.cursor;
    }
  }
  #show(cursor) {
    this.after = cursor;
    this.news = [];
    this.tell([...this.#open.values()].sort((one, other) => one.id < other.id ? 1 : -1));
  }
};

// ../../sdk/typescript/src/operations.ts
var Operations = class {
  /** List your ledger accounts, oldest first. */
  listAccounts(query = {}) {
    return this.call("GET", `/api/v1/accounts/`, { query });
  }
  /** Get the balance of one of your accounts at a moment, by default now. */
  getBalance(account, query = {}) {
    return this.call("GET", `/api/v1/accounts/${account}/balance/`, { query });
  }
  /** List what operators requested and why, newest first. The games' logs show the effects. */
  listOperatorActions(query = {}) {
    return this.call("GET", `/api/v1/admin/actions/`, { query });
  }
  /** List everybody's games, newest first. The request is logged. */
  listAllGames(query = {}) {
    return this.call("GET", `/api/v1/admin/games/`, { query });
  }
  /** Void one bet, open or settled, during or after its game. Its transfers are reversed. */
  voidBet(game, number, body) {
    return this.call("POST", `/api/v1/admin/games/${game}/bets/${number}/void/`, { body });
  }
  /** List the commits of any game after a version, as a spectator may read them. The request and its reason are logged. */
  watchCommits(game, query = {}) {
    return this.call("GET", `/api/v1/admin/games/${game}/commits/`, { query });
  }
  /** Add a note to the log of a game, even of one that has ended. */
  annotateGame(game, body) {
    return this.call("POST", `/api/v1/admin/games/${game}/notes/`, { body });
  }
  /** Get a spectator's view of any game. The request and its reason are logged. */
  watchGame(game, query = {}) {
    return this.call("GET", `/api/v1/admin/games/${game}/view/`, { query });
  }
  /** Void a game, even one that has ended: open bets are voided and buy-ins returned. */
  voidGame(game, body) {
    return this.call("POST", `/api/v1/admin/games/${game}/void/`, { body });
  }
  /** List everybody's lobbies, newest first, without invite codes. The request is logged. */
  listAllLobbies(query = {}) {
    return this.call("GET", `/api/v1/admin/lobbies/`, { query });
  }
  /** Mute a user in a lobby, its host included, until an operator lifts it. */
  muteAsOperator(lobby, user, body) {
    return this.call("POST", `/api/v1/admin/lobbies/${lobby}/users/${user}/mute/`, { body });
  }
  /** Unmute a user in a lobby, whoever muted them. */
  unmuteAsOperator(lobby, user, body) {
    return this.call("POST", `/api/v1/admin/lobbies/${lobby}/users/${user}/unmute/`, { body });
  }
  /** List everybody's bets in all games, newest first (auditors only). */
  listAllBets(query = {}) {
    return this.call("GET", `/api/v1/audit/bets/`, { query });
  }
  /** Get the newest signed checkpoint of the public log and the keys that sign it. */
  getCheckpoint() {
    return this.call("GET", `/api/v1/audit/checkpoint/`);
  }
  /** Download a bet's receipt: its place in the public log. */
  getReceipt(game, number, query = {}) {
    return this.call("GET", `/api/v1/audit/games/${game}/bets/${number}/receipt/`, { query });
  }
  /** List the apps that you registered, newest first. */
  listApps() {
    return this.call("GET", `/api/v1/auth/apps/`);
  }
  /** Register an app, which may then request access to users by OAuth 2.0. */
  registerApp(body) {
    return this.call("POST", `/api/v1/auth/apps/`, { body });
  }
  /** Remove an app that you registered. All access granted to it ends, and its open sockets close at once. */
  removeApp(client_id) {
    return this.call("DELETE", `/api/v1/auth/apps/${client_id}/`);
  }
  /** List your bot users, newest first. */
  listBotUsers() {
    return this.call("GET", `/api/v1/auth/bots/`);
  }
  /** Create a user for a program, with a name of its own and marked as a bot. */
  createBotUser(body) {
    return this.call("POST", `/api/v1/auth/bots/`, { body });
  }
  /** Rename one of your bot users. */
  renameBotUser(bot, body) {
    return this.call("PUT", `/api/v1/auth/bots/${bot}/`, { body });
  }
  /** Delete one of your bot users. Its tokens end, and its open sockets close at once. */
  deleteBotUser(bot) {
    return this.call("DELETE", `/api/v1/auth/bots/${bot}/`);
  }
  /** List the valid tokens of one of your bot users, newest first. */
  listBotTokens(bot) {
    return this.call("GET", `/api/v1/auth/bots/${bot}/tokens/`);
  }
  /** Create a token with which a program signs in as one of your bot users. */
  createBotToken(bot, body) {
    return this.call("POST", `/api/v1/auth/bots/${bot}/tokens/`, { body });
  }
  /** Revoke a token of one of your bot users. Its open sockets close at once. */
  revokeBotToken(bot, token) {
    return this.call("DELETE", `/api/v1/auth/bots/${bot}/tokens/${token}/`);
  }
  /** Send a code to your e-mail address, which counts once the code is confirmed. */
  askForAddressCode(body) {
    return this.call("POST", `/api/v1/auth/email/`, { body });
  }
  /** Confirm your e-mail address with the code sent to it. It can then reset a lost password. */
  confirmAddress(body) {
    return this.call("POST", `/api/v1/auth/email/confirm/`, { body });
  }
  /** Erase your name, address, password, tokens and bot users. This cannot be undone. */
  eraseUser(body) {
    return this.call("POST", `/api/v1/auth/erase/`, { body });
  }
  /** Create a guest and sign in. */
  createGuest(body) {
    return this.call("POST", `/api/v1/auth/guest/`, { body });
  }
  /** Register the current guest, who keeps seats, bets and tokens. The wallet opens with a grant. */
  registerGuest(body) {
    return this.call("POST", `/api/v1/auth/guest/register/`, { body });
  }
  /** Get the current user. */
  me() {
    return this.call("GET", `/api/v1/auth/me/`);
  }
  /** Change the password. All other tokens end, those of your bot users too. */
  changePassword(body) {
    return this.call("POST", `/api/v1/auth/password/`, { body });
  }
  /** Register a user with a username and a password. The wallet opens with a grant. */
  register(body) {
    return this.call("POST", `/api/v1/auth/register/`, { body });
  }
  /** Send a reset code to each user with this confirmed address. The response is the same if there is none. */
  askForResetCode(body) {
    return this.call("POST", `/api/v1/auth/reset/`, { body });
  }
  /** Reset the password with the code from the e-mail. All tokens end; a code works once. */
  resetPassword(body) {
    return this.call("POST", `/api/v1/auth/reset/confirm/`, { body });
  }
  /** Revoke the token of this request, whatever its scopes. Its open sockets close at once. */
  revokeToken() {
    return this.call("POST", `/api/v1/auth/revoke/`);
  }
  /** Revoke all your tokens and those of your bot users, and close all their sockets. */
  revokeAllTokens() {
    return this.call("POST", `/api/v1/auth/revoke_all/`);
  }
  /** Sign in with a username and a password. */
  signIn(body) {
    return this.call("POST", `/api/v1/auth/token/`, { body });
  }
  /** List your valid tokens, newest first, then the access granted to apps. */
  listTokens() {
    return this.call("GET", `/api/v1/auth/tokens/`);
  }
  /** Create a personal token for a program, with some of your scopes. */
  createToken(body) {
    return this.call("POST", `/api/v1/auth/tokens/`, { body });
  }
  /** Revoke one of your tokens, or an app's access. Its open sockets close at once. */
  revokeOneToken(token) {
    return this.call("DELETE", `/api/v1/auth/tokens/${token}/`);
  }
  /** List your bets in all games, newest first. */
  listBets(query = {}) {
    return this.call("GET", `/api/v1/bets/`, { query });
  }
  /** List games of public lobbies and your own games, newest first. */
  listGames(query = {}) {
    return this.call("GET", `/api/v1/games/`, { query });
  }
  /** Get one game, with its result once it has ended. */
  getGame(game) {
    return this.call("GET", `/api/v1/games/${game}/`);
  }
  /** List all bets of a game in the order in which they were placed. */
  listBetsInGame(game, query = {}) {
    return this.call("GET", `/api/v1/games/${game}/bets/`, { query });
  }
  /** Send a command for your seat. An accepted command is committed; a refused one changed nothing. */
  play(game, body) {
    return this.call("POST", `/api/v1/games/${game}/commands/`, { body });
  }
  /** List the commits after a version, oldest first, with the events that you may read. */
  listCommits(game, query = {}) {
    return this.call("GET", `/api/v1/games/${game}/commits/`, { query });
  }
  /** List the commands that your seat may send now, or a sample of them. */
  listLegalCommands(game, query = {}) {
    return this.call("GET", `/api/v1/games/${game}/legal/`, { query });
  }
  /** List the purses of a game with their balances after a version, by default now. */
  listPurses(game, query = {}) {
    return this.call("GET", `/api/v1/games/${game}/purses/`, { query });
  }
  /** List the transfers of a game by version and position. */
  listTransfersInGame(game, query = {}) {
    return this.call("GET", `/api/v1/games/${game}/transfers/`, { query });
  }
  /** Get what your seat, or a spectator, sees now. */
  getView(game) {
    return this.call("GET", `/api/v1/games/${game}/view/`);
  }
  /** Report that this process responds and need not be restarted. */
  live() {
    return this.call("GET", `/api/v1/health/live/`);
  }
  /** Report that database and Valkey respond, that no loop of this process is stuck, and that requests may be sent here. */
  ready() {
    return this.call("GET", `/api/v1/health/ready/`);
  }
  /** List public lobbies and your own, newest first. */
  listLobbies(query = {}) {
    return this.call("GET", `/api/v1/lobbies/`, { query });
  }
  /** Create a lobby and take its first seat. From now on the hash of the game's seed is public. */
  createLobby(body) {
    return this.call("POST", `/api/v1/lobbies/`, { body });
  }
  /** Get one lobby. */
  getLobby(lobby) {
    return this.call("GET", `/api/v1/lobbies/${lobby}/`);
  }
  /** List the users that you banned from this lobby (host only). */
  listBans(lobby) {
    return this.call("GET", `/api/v1/lobbies/${lobby}/bans/`);
  }
  /** Ban a user from this lobby, whether or not they sit in it (host only). The buy-in is returned. */
  ban(lobby, user) {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/bans/${user}/`);
  }
  /** Lift a ban (host only). */
  unban(lobby, user) {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/bans/${user}/`);
  }
  /** Add a bot to a free seat (host only). */
  addBot(lobby) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/bots/`);
  }
  /** List lobby events and chat messages after a version, oldest first. */
  listLobbyEvents(lobby, query = {}) {
    return this.call("GET", `/api/v1/lobbies/${lobby}/events/`, { query });
  }
  /** Make another player of this lobby its host (host only). */
  handOver(lobby, body) {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/host/`, { body });
  }
  /** Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing. */
  joinLobby(lobby, body) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/join/`, { body });
  }
  /** Leave a lobby and get the buy-in back. When the host leaves, another player becomes the host; the lobby closes with its last player. */
  leaveLobby(lobby) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/leave/`);
  }
  /** Send a chat message to all who can see the lobby. Spectators may if `spectators` is `chat`. */
  sendMessage(lobby, body) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/messages/`, { body });
  }
  /** List the users who are muted in this lobby (host only). */
  listMutes(lobby) {
    return this.call("GET", `/api/v1/lobbies/${lobby}/mutes/`);
  }
  /** Mute a user in this lobby: before, during and after its game (host only). */
  mute(lobby, user) {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/mutes/${user}/`);
  }
  /** Unmute a user in this lobby (host only). An operator's mute is lifted by an operator. */
  unmute(lobby, user) {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/mutes/${user}/`);
  }
  /** Set whether you are ready to start. */
  setReady(lobby, body) {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/ready/`, { body });
  }
  /** Play again with the same table, after the game has ended. */
  rematch(lobby, body) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/rematch/`, { body });
  }
  /** Move to this seat, which must be free. */
  takeSeat(lobby, number) {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/seats/${number}/`);
  }
  /** Remove a bot or a player from a seat (host only). The buy-in is returned. */
  removeSeat(lobby, number) {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/seats/${number}/`);
  }
  /** Swap two seats (host only). One of them may be empty. */
  swapSeats(lobby, body) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/seats/swap/`, { body });
  }
  /** Start the game of this lobby (host only). */
  startGame(lobby) {
    return this.call("POST", `/api/v1/lobbies/${lobby}/start/`);
  }
  /** Take the first free seat of the lobby with this invite code. */
  joinByCode(body) {
    return this.call("POST", `/api/v1/lobbies/join/`, { body });
  }
  /** Join a public lobby of this game with these options, or create one that starts when it is full. */
  quickMatch(body) {
    return this.call("POST", `/api/v1/lobbies/quick_match/`, { body });
  }
  /** List the games that can be played here. */
  listRules() {
    return this.call("GET", `/api/v1/rules/`);
  }
  /** Get one game with the JSON Schema of its options, commands, events, views and book. */
  getRules(slug) {
    return this.call("GET", `/api/v1/rules/${slug}/`);
  }
  /** Get the book of a game: cards, boards, names, and sentences for its events in English and French. */
  getBook(slug) {
    return this.call("GET", `/api/v1/rules/${slug}/book/`);
  }
  /** List the transfers to and from your accounts, newest first. */
  listTransfers(query = {}) {
    return this.call("GET", `/api/v1/transfers/`, { query });
  }
};

// ../../sdk/typescript/src/clock.ts
var IN_TIME_MS = 5e3;
var ServerClock = class {
  #aheadMs = 0;
  now() {
    return Date.now() + this.#aheadMs;
  }
  /** Note a time that the server has passed already. */
  heard(atMs) {
    this.#aheadMs = Math.max(this.#aheadMs, atMs - Date.now());
  }
  /** Note what time the server says it is. */
  set(nowMs) {
    this.#aheadMs = nowMs - Date.now();
  }
};

// ../../sdk/typescript/src/table.ts
var PLAYS_WAITING_MAX = 16;
var LOOK = JSON.stringify({ type: "look" });
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
var Table = class extends Stream {
  #plays = /* @__PURE__ */ new Map();
  #looks = [];
  #heardOf = 0;
  #endsAt = Infinity;
  #clock = new ServerClock();
  /** How far the news have come; none until the first view. */
  get version() {
    return this.after;
  }
  /**
   * Give a command. It counts once, through however many connections its answer has to come, and not later than a few seconds
   * after it was given.
   *
   * Throws Problem when it was refused for good, Unanswered when its fate is not known in time: played again with the same `id`, it is
   * answered as the first time.
   */
  async play(command, { id: id2 = newId(), withinMs = 3e4 } = {}) {
    if (this.#plays.has(id2)) throw new Error("one command at a time under one id");
    const notAfterMs = this.#clock.now() + IN_TIME_MS;
    const answer = new Promise((resolve, reject) => {
      if (this.isClosed) return reject(this.failure ?? new ServerError("the table is closed"));
      this.#plays.set(id2, { command, notAfterMs, copies: 0, isSent: false, failures: 0, resolve, reject });
      this.#sendPlays();
    });
    const late = setTimeout(() => this.#plays.get(id2)?.reject(new Unanswered(id2)), withinMs);
    try {
      return await answer;
    } finally {
      clearTimeout(late);
      this.#plays.delete(id2);
      this.#sendPlays();
      this.wake();
    }
  }
  /** The view at the head. */
  look() {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(this.failure ?? new ServerError("the table is closed"));
      this.#looks.push({ resolve, reject });
      this.say(LOOK);
    });
  }
  #sendPlays() {
    if (!this.isConnected) return;
    let waiting = 0;
    for (const [id2, play] of this.#plays) {
      if (++waiting > PLAYS_WAITING_MAX) return;
      if (play.isSent) continue;
      play.isSent = true;
      play.copies++;
      const not_after = new Date(play.notAfterMs).toISOString();
      this.say(JSON.stringify({ type: "play", id: id2, command: play.command, not_after }));
    }
  }
  // The connection
  /** Ask again for all that has not been answered. */
  resume() {
    this.#heardOf = 0;
    for (const play of this.#plays.values()) play.isSent = false;
    this.#sendPlays();
    for (const _ of this.#looks) this.say(LOOK);
  }
  /** Whether the game has ended, all of it has come, and no answer is awaited. */
  isOver() {
    return this.after !== void 0 && this.after >= this.#endsAt && !this.#plays.size;
  }
  end(failure) {
    for (const [id2, play] of this.#plays) play.reject(failure ?? new Unanswered(id2));
    for (const look of this.#looks) look.reject(failure ?? new ServerError("the table is closed"));
  }
  // What it brings
  take(frame) {
    switch (frame.type) {
      case "view":
        this.#takeView(frame);
        break;
      case "commits":
        for (const commit of frame.commits) this.#takeCommit(commit);
        break;
      case "accepted":
        this.#plays.get(frame.id)?.resolve(frame);
        break;
      case "refused":
        this.#takeRefusal(frame);
        break;
      case "heartbeat":
        if (this.after !== void 0 && this.after < this.#heardOf) throw new Lost();
        this.#heardOf = frame.version;
        if (frame.ended) this.#endsAt = frame.version;
    }
  }
  #takeView({ type, version, seat, ended, view }) {
    const seen = { type, version, seat, ended, view };
    if (ended) this.#endsAt = version;
    if (this.after === void 0) {
      this.after = version;
      this.tell(seen);
    } else {
      this.#looks.shift()?.resolve(seen);
    }
  }
  #takeCommit({ version, at, hash, events }) {
    if (this.after === void 0 || version > this.after + 1) throw new Lost();
    if (version <= this.after) return;
    this.#clock.heard(Date.parse(at));
    this.tell({ type: "commit", version, at: new Date(at), hash, events });
    this.after = version;
  }
  #takeRefusal({ id: id2, code, data, version }) {
    const play = this.#plays.get(id2);
    if (!play) return;
    const problem = new Problem(code, data, { version });
    if (code === "too_late") {
      this.#clock.set(Date.parse(String(data.now)));
      if (play.copies > 1 || play.failures > 1) return play.reject(play.refusal ?? problem);
      play.notAfterMs = this.#clock.now() + IN_TIME_MS;
      play.copies = 0;
    }
    let waitMs = pauseMs(play.failures++);
    if (code !== "too_late" && !AGAIN.has(code)) {
      if (play.copies === 1) return play.reject(problem);
      play.refusal = problem;
      waitMs = Math.max(0, play.notAfterMs - this.#clock.now()) + pauseMs(0);
    }
    setTimeout(() => {
      play.isSent = false;
      this.#sendPlays();
    }, waitMs);
  }
};

// ../../sdk/typescript/src/client.ts
var TRIES_MAX = 6;
var PAUSE_MAX_MS = 3e4;
var ANSWER_WITHIN_MS = 3e4;
var NAMED = ["/v1/lobbies/", "/lobbies/quick_match/"];
var ONCE = [...NAMED, "/commands/", "/messages/"];
var Client = class extends Operations {
  token;
  #url;
  /** Throws ServerError where there is no WebSocket, as in Node below 22. */
  constructor(url, token = "") {
    super();
    if (typeof WebSocket === "undefined") {
      throw new ServerError("This client needs WebSocket: use Node 22 or newer, or a browser.");
    }
    this.#url = url.replace(/\/+$/, "");
    this.token = token;
  }
  /** The socket of a game: `client.table<readySetBet.Game>(game.id)`. */
  table(game, { after } = {}) {
    return new Table(this.#socket(`games/${game}`), this.token, { after });
  }
  /** The socket of a lobby: `client.room(lobby.id)`. */
  room(lobby, { after } = {}) {
    return new Room(this.#socket(`lobbies/${lobby}`), this.token, { after });
  }
  /** The open lobbies, of one game or of all: `client.lobbies()`. */
  lobbies({ slug } = {}) {
    return new Lobbies(this.#socket("lobbies"), this.token, { slug });
  }
  #socket(path) {
    return `${this.#url.replace(/^http/, "ws")}/ws/v1/${path}`;
  }
  async call(method, path, { query = {}, body } = {}) {
    if (NAMED.some((end) => path.endsWith(end))) {
      const named = body;
      if (method === "POST") body = { ...named, id: named?.id ?? crypto.randomUUID() };
    }
    const given = Object.entries(query).filter(([, value]) => value !== void 0);
    const filters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const address = `${this.#url}${path}${filters.size ? `?${filters}` : ""}`;
    for (let failures = 0; ; failures++) {
      let answer;
      let found;
      try {
        answer = await fetch(address, { ...this.#asked(method, body), signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
        found = answer.status === 204 ? void 0 : await answer.json();
      } catch (error) {
        const isSafe = method !== "POST" || ONCE.some((end) => path.endsWith(end));
        if (!isSafe || failures + 1 === TRIES_MAX)
          throw new Unreachable(`${method} ${path}: ${error}`);
        await sleep(pauseMs(failures));
        continue;
      }
      if (answer.ok) return found;
      const { code, data = {}, version = null, title } = found;
      const waitMs = 1e3 * Number(answer.headers.get("Retry-After") ?? 0);
      const passes = AGAIN.has(code) || code === "too_many_requests";
      if (!passes || failures + 1 === TRIES_MAX || waitMs > PAUSE_MAX_MS)
        throw new Problem(code, data, { version, status: answer.status, title });
      await sleep(waitMs + pauseMs(failures));
    }
  }
  #asked(method, body) {
    const headers = new Headers();
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    if (body === void 0) return { method, headers };
    headers.set("Content-Type", "application/json");
    return { method, headers, body: JSON.stringify(body) };
  }
};

// frame.ts
var message = h("p", { class: "message", role: "status", "aria-live": "polite" });
function showPage(title, ...content) {
  document.documentElement.lang = language;
  document.title = `${title} · Railbird`;
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#content" }, say("skip")),
    h(
      "header",
      { class: "top" },
      h("a", { class: "home", href: "/" }, "Railbird"),
      h("nav", { "aria-label": say("language") }, languageButton("en"), languageButton("fr"))
    ),
    h("main", { id: "content", tabindex: "-1" }, ...content),
    message
  );
}
function languageButton(tag) {
  const name = tag === "en" ? "English" : "Français";
  return h(
    "button",
    {
      class: "language",
      lang: tag,
      "aria-label": name,
      "aria-pressed": String(tag === language),
      onclick: () => chooseLanguage(tag)
    },
    tag.toUpperCase()
  );
}
var hiding;
function tell(text, kind = "good") {
  message.textContent = text;
  message.dataset["kind"] = kind;
  clearTimeout(hiding);
  hiding = setTimeout(() => message.textContent = "", 6e3);
}
function explain(error) {
  if (error instanceof Problem)
    return sayIfKnown(`refused.${error.code}`) ?? say("refused", { code: error.code });
  if (error instanceof ServerError) return say("unreachable");
  throw error;
}
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    tell(explain(error), "bad");
  }
}

// generic.ts
var COMMANDS_MAX = 60;
var ROWS_MAX = 100;
var LINES_MAX = 60;
function genericPage(client, game, table2, caller) {
  const players = h("p", { class: "quiet" }, game.seats.map(({ name }) => name).join(", "));
  const commands = h("div", { class: "commands" });
  const own = h("textarea", { rows: 3, "aria-label": say("generic.own"), spellcheck: "false" });
  const send = h("button", {}, say("generic.send"));
  const calls = h("ol", { class: "calls", "aria-label": say("calls") });
  const aloud = h("p", { class: "unseen", role: "log", "aria-live": "polite" });
  const seen = h("div", { class: "seen" });
  const play = (command) => void attempt(() => table2.play(command));
  send.addEventListener("click", () => void attempt(async () => play(parse(own.value))));
  const showCommands = async () => {
    const { commands: legal } = await client.listLegalCommands(game.id, { limit: COMMANDS_MAX });
    redraw(
      commands,
      legal,
      () => legal.length ? legal.map(
        (command) => h(
          "button",
          {
            onclick: () => {
              own.value = JSON.stringify(command);
              play(command);
            }
          },
          commandInWords(command, caller)
        )
      ) : [say("generic.wait")]
    );
    if (!own.value && legal[0]) own.value = JSON.stringify(legal[0]);
  };
  return {
    element: h(
      "div",
      { class: "generic" },
      h(
        "section",
        { class: "panel" },
        players,
        game.your_seat === null ? h("p", {}, say("hand.spectator")) : h(
          "div",
          {},
          h("h2", {}, say("generic.commands")),
          commands,
          h("details", {}, h("summary", {}, say("generic.own")), own, send)
        ),
        h("h2", {}, say("calls")),
        calls,
        aloud
      ),
      h("section", { class: "panel" }, h("h2", {}, say("generic.view")), seen)
    ),
    showView({ view, ended }) {
      redraw(seen, view, () => [shown2(view, "", caller)]);
      if (game.your_seat !== null && !ended) void attempt(showCommands);
    },
    showCommit({ events }) {
      const said = events.flatMap((event) => caller.calls(event));
      if (said.length) aloud.textContent = said.join(" ");
      for (const line of said) calls.prepend(h("li", {}, line));
      while (calls.children.length > LINES_MAX) calls.lastElementChild.remove();
    }
  };
}
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { type: text };
  }
}
function commandInWords(command, caller) {
  const { type, ...fields } = command;
  const values = Object.entries(fields).filter(([, value]) => value !== null).map(([field, value]) => `${spaced(field)}: ${inLine(value, field, caller)}`);
  return [spaced(type), ...values].join(" · ");
}
function spaced(name) {
  return name.replaceAll("_", " ");
}
function inLine(value, field, caller) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : caller.name(field, value);
}
function shown2(value, field, caller) {
  if (Array.isArray(value)) {
    const items = value.slice(0, ROWS_MAX);
    if (!items.length) return h("span", { class: "quiet" }, "—");
    if (items.every(isObject)) return tableOf(items, caller);
    if (items.some((item) => typeof item === "object" && item !== null))
      return h("ol", {}, ...items.map((item) => h("li", {}, shown2(item, field, caller))));
    return h("span", {}, items.map((item) => caller.name(field, item)).join(", "));
  }
  if (isObject(value)) {
    if ("en" in value && "fr" in value) return h("span", {}, caller.name(field, value));
    const lines = Object.entries(value).map(([name, inside]) => {
      const isLong = typeof inside === "object" && JSON.stringify(inside).length > 400;
      const content = shown2(inside, name, caller);
      return h(
        "div",
        {},
        h("dt", {}, caller.name(field, name) === name ? spaced(name) : caller.name(field, name)),
        h("dd", {}, isLong ? h("details", {}, h("summary", {}, say("generic.show")), content) : content)
      );
    });
    return h("dl", {}, ...lines);
  }
  if (value === null) return h("span", { class: "quiet" }, "—");
  return h("span", {}, caller.name(field, value));
}
function tableOf(items, caller) {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, spaced(name))))),
      h(
        "tbody",
        {},
        ...items.map(
          (item) => h("tr", {}, ...columns.map((name) => h("td", {}, shown2(item[name] ?? null, name, caller))))
        )
      )
    )
  );
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// ready_set_bet/chip.ts
function chip({ value, bonus }, colour) {
  const element = h("span", { class: bonus ? `chip chip-${bonus}` : "chip", "aria-hidden": "true" }, value);
  element.style.setProperty("--seat", colour);
  element.style.setProperty("--on-seat", isLight(colour) ? "#000" : "#fff");
  return element;
}
function isLight(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140;
}

// ready_set_bet/game.ts
function colourOf({ book }, seat) {
  return book.seat_colours[seat % book.seat_colours.length].hex;
}
function moneyOf(view, seat) {
  return view.purses[`seat:${seat}`] ?? 0;
}

// ready_set_bet/board.ts
var ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
};
function boardPart(at, bet) {
  const { book } = at;
  const top = Math.min(...Object.values(book.layout.rows).map(({ y }) => y));
  const spots = /* @__PURE__ */ new Map();
  const spotButton = (spot) => {
    const button = new SpotButton(at, spot, bet);
    spots.set(spot.spot, button);
    return button;
  };
  const grid = h("div", { class: "grid" });
  grid.style.setProperty("--columns", String(book.layout.width));
  for (const heading of headings(at)) grid.append(heading);
  for (const horse2 of book.horses) {
    const row2 = h(
      "div",
      { class: `row-name lane-${horse2.colour}` },
      h("b", {}, horse2.horse),
      h("span", {}, inWords(horse2.name))
    );
    grid.append(placed(row2, book.layout.rows[horse2.horse], top - 1));
  }
  for (const spot of book.spots)
    grid.append(placed(spotButton(spot).element, book.layout.spots[spot.spot], top - 1));
  const props = h("div", { class: "cards props" });
  const exotics = h("div", { class: "cards exotics" });
  const element = h(
    "section",
    { class: "board", role: "group", "aria-label": say("board") },
    props,
    grid,
    exotics
  );
  element.addEventListener("keydown", (event) => moveFocus(element, event));
  return {
    element,
    show(view) {
      redraw(
        props,
        view.props,
        () => view.props.map((card) => {
          const spot = view.spots.find((one) => one.card === card.card);
          const button = spotButton(spot).element;
          button.classList.add("card");
          button.prepend(
            h("b", {}, `${card.front} › ${card.behind.join(", ")}`),
            h("span", { class: "card-text" }, inWords(card.title))
          );
          return button;
        })
      );
      redraw(
        exotics,
        view.exotics,
        () => view.exotics.map(
          (card) => h(
            "div",
            { class: "card" },
            h("b", {}, inWords(card.title)),
            h("span", { class: "card-text" }, inWords(card.text)),
            h(
              "div",
              { class: "card-spots" },
              ...view.spots.filter((spot) => spot.card === card.card).map((spot) => spotButton(spot).element)
            )
          )
        )
      );
      for (const button of spots.values()) button.show(view);
      if (!element.querySelector(".spot[tabindex='0']"))
        element.querySelector(".spot")?.setAttribute("tabindex", "0");
    }
  };
}
var SpotButton = class {
  element;
  #at;
  #spot;
  #tokens = h("span", { class: "tokens" });
  #bets;
  constructor(at, spot, bet) {
    this.#at = at;
    this.#spot = spot;
    this.element = h(
      "button",
      {
        class: `spot spot-${spot.colour ?? spot.kind}`,
        tabindex: "-1",
        "data-spot": spot.spot,
        onclick: () => bet(spot.spot)
      },
      spot.colour && h("span", { class: "spot-label", "aria-hidden": "true" }, at.caller.name("colour", spot.colour)),
      h("span", { class: "gain", "aria-hidden": "true" }, `${spot.gain}×`),
      spot.loss > 0 && h("span", { class: "loss", "aria-hidden": "true" }, `−${spot.loss}`),
      this.#tokens
    );
  }
  show(view) {
    const { spot, column, gain, loss, colour, kind } = this.#spot;
    const bets = view.bets.filter((one) => one.spot === spot);
    const isClosed = column !== null && view.closed_columns.includes(column);
    this.element.classList.toggle("closed", isClosed);
    this.element.classList.toggle("mine", bets.some(({ seat }) => seat === this.#at.seat));
    const won = bets.find(({ outcome }) => outcome)?.outcome ?? "";
    this.element.dataset["outcome"] = won;
    if (JSON.stringify(bets) !== JSON.stringify(this.#bets))
      this.#tokens.replaceChildren(
        ...bets.map(({ token, bonus, seat }) => chip({ value: token, bonus }, colourOf(this.#at, seat)))
      );
    this.#bets = bets;
    const name = this.#at.caller.name("spot", spot);
    const label = [
      kind === "black" || colour === null ? name : say("board.colour", { name }),
      say(loss ? "board.pays_and_costs" : "board.pays", { gain, loss }),
      isClosed && say("board.closed"),
      ...bets.map(({ seat, token }) => say("board.taken", { player: this.#at.players[seat], token }))
    ];
    this.element.setAttribute("aria-label", label.filter(Boolean).join(", "));
  }
};
function headings({ book, caller }) {
  const row2 = book.horses[0].horse;
  return ["show", "place", "win"].map((kind) => {
    const columns = book.spots.filter((spot) => spot.kind === kind && spot.horse === row2);
    const xs = columns.map(({ spot }) => book.layout.spots[spot].x);
    const element = h("div", { class: `heading heading-${kind}` }, caller.name("kind", kind));
    element.style.gridArea = `1 / ${Math.min(...xs) + 1} / span 1 / span ${columns.length}`;
    return element;
  });
}
function placed(element, { x, y, width, height }, above) {
  element.style.gridArea = `${y - above + 1} / ${x + 1} / span ${height} / span ${width}`;
  return element;
}
function moveFocus(board, event) {
  const direction = ARROWS[event.key];
  const from = document.activeElement;
  if (!direction || !(from instanceof HTMLElement) || !from.matches(".spot")) return;
  event.preventDefault();
  const [dx, dy] = direction;
  const start = middle(from);
  let nearest;
  let least = Infinity;
  for (const spot of board.querySelectorAll(".spot")) {
    const { x, y } = middle(spot);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (ahead > 4 && ahead + 3 * aside < least) {
      least = ahead + 3 * aside;
      nearest = spot;
    }
  }
  if (!nearest) return;
  board.querySelector(".spot[tabindex='0']")?.setAttribute("tabindex", "-1");
  nearest.setAttribute("tabindex", "0");
  nearest.focus();
}
function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

// ready_set_bet/countdown.ts
var AGAIN_MS = 100;
function countdownPart() {
  const bar = h("progress", { max: 1, value: 0, "aria-hidden": "true" });
  const text = h("span", {});
  const element = h("p", { class: "countdown" }, text, bar);
  let awaited = "";
  let startedAt = 0;
  let lastsMs = 0;
  let what = "paddock";
  setInterval(() => {
    const leftMs = Math.max(0, startedAt + lastsMs - performance.now());
    element.classList.toggle("idle", !leftMs);
    bar.value = lastsMs ? leftMs / lastsMs : 0;
    text.textContent = leftMs ? say(WHAT[what], { seconds: (leftMs / 1e3).toFixed(1) }) : "";
  }, AGAIN_MS);
  return {
    element,
    show(view) {
      const { race, roll, phase } = view;
      const now = `${race} ${roll} ${phase}`;
      const isFirst = !awaited;
      const wasOpen = awaited === `${race} ${roll} open`;
      if (now === awaited || phase === "closed" && wasOpen) return;
      awaited = now;
      startedAt = performance.now();
      lastsMs = isFirst || phase === "over" ? 0 : durationMs(view);
      if (phase !== "over") what = phase;
    }
  };
}
var WHAT = {
  paddock: "countdown.start",
  open: "countdown.roll",
  closed: "countdown.roll",
  finished: "countdown.next",
  draft: "countdown.choice",
  offer: "countdown.choice"
};
function durationMs({ phase, options }) {
  const rollMs = options.roll_ms ?? 2e3;
  if (phase === "paddock" || phase === "finished") return options.pause_ms ?? 2.5 * rollMs;
  if (phase === "draft" || phase === "offer") return options.think_ms ?? 15 * rollMs;
  return rollMs;
}

// ready_set_bet/dice.ts
var PIPS = {
  1: [[2, 2]],
  2: [[1, 1], [3, 3]],
  3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]]
};
var ROLLING_MS = 350;
function dicePart() {
  const element = h("div", { class: "dice", role: "img" });
  return {
    element,
    show({ dice, race, roll }) {
      redraw(element, [dice, race, roll], () => dice ? dice.map(die) : [die(0), die(0)]);
      element.setAttribute("aria-label", dice ? say("dice", { one: dice[0], two: dice[1] }) : say("dice.none"));
    }
  };
}
function die(eyes) {
  const pips = (PIPS[eyes] ?? []).map(([x, y]) => svg("circle", { cx: x * 10, cy: y * 10, r: 4 }));
  const element = svg(
    "svg",
    { class: "die", viewBox: "0 0 40 40" },
    svg("rect", { x: 1, y: 1, width: 38, height: 38, rx: 8 }),
    ...pips
  );
  if (eyes && !motionIsReduced())
    element.animate(
      [{ transform: "rotate(-150deg) scale(.5)" }, { transform: "none" }],
      { duration: ROLLING_MS, easing: "ease-out" }
    );
  return element;
}

// ready_set_bet/hand.ts
function handPart(at, play) {
  const { seat } = at;
  const element = h("section", { class: "hand", "aria-label": say("hand") });
  const tokens = h("div", { class: "hand-tokens", role: "radiogroup", "aria-label": say("hand.tokens") });
  const actions = h("div", { class: "actions" });
  const money = h("p", { class: "money" });
  const hint = h("p", { class: "hint" }, say("hand.help"));
  element.append(money, tokens, hint, actions);
  let inHand = [];
  let wanted;
  const chosen = () => inHand.find((token) => isSame(token, wanted)) ?? inHand.at(-1);
  const draw = () => {
    const now = chosen();
    redraw(tokens, [inHand, now], () => inHand.length ? inHand.map(tokenButton) : [say("hand.empty")]);
  };
  const tokenButton = (token, place) => {
    const isChosen = inHand.findIndex((one) => isSame(one, chosen())) === place;
    return h(
      "button",
      {
        class: "token",
        role: "radio",
        "aria-checked": String(isChosen),
        "aria-label": say(token.bonus ? "hand.bonus_token" : "hand.token", { value: token.value }),
        onclick: () => choose2(token)
      },
      chip(token, colourOf(at, seat))
    );
  };
  const choose2 = (token) => {
    wanted = token;
    draw();
  };
  document.addEventListener("keydown", ({ key, target }) => {
    const token = inHand.find(({ value }) => String(value) === key);
    if (token && !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) choose2(token);
  });
  return {
    element,
    chosen,
    show(view) {
      if (seat === null) {
        hint.hidden = true;
        redraw(tokens, "spectator", () => [say("hand.spectator")]);
        return;
      }
      const bonus = view.vip?.bonus_tokens[seat] ?? [];
      inHand = [
        ...[...view.tokens[seat] ?? []].sort((one, other) => one - other).map((value) => ({ value })),
        ...bonus.map(({ value, colour }) => ({ value, bonus: colour }))
      ];
      money.textContent = say("hand.money", { money: moneyOf(view, seat) });
      hint.hidden = view.phase !== "open" || !inHand.length;
      draw();
      redraw(actions, offers(view, seat), () => actionButtons(view, seat, play));
    }
  };
}
function isSame(one, other) {
  return one.value === other?.value && (one.bonus ?? null) === (other.bonus ?? null);
}
function offers({ phase, vip, asked, announcer, dice_ready, tokens }, seat) {
  return [phase, vip?.hand, vip?.chosen, asked, announcer, dice_ready, tokens[seat]?.length];
}
function actionButtons(view, seat, play) {
  const button = (text, command, about) => h(
    "button",
    { class: "primary", onclick: () => play(command) },
    h("b", {}, text),
    about && h("span", {}, about)
  );
  const buttons = [];
  if (view.phase === "draft" && view.vip?.hand?.length) {
    if (view.vip.chosen) return [say("vip.wait")];
    buttons.push(h("p", {}, say("vip.choose")));
    for (const { card, title, text } of view.vip.hand)
      buttons.push(button(inWords(title), { type: "keep_vip", card }, inWords(text)));
  }
  if (view.asked === seat) {
    buttons.push(button(say("offer.accept"), { type: "answer_offer", accept: true }));
    buttons.push(button(say("offer.decline"), { type: "answer_offer", accept: false }));
  }
  if (view.announcer === seat && !view.options.auto_roll) {
    if (view.phase === "paddock") {
      if (view.tokens[seat]?.length) buttons.push(button(say("announcer.skip"), { type: "skip_tokens" }));
      else buttons.push(button(say("announcer.start"), { type: "start_race" }));
    } else if (view.dice_ready) {
      buttons.push(button(say("announcer.roll"), { type: "roll_dice" }));
    }
  }
  return buttons;
}

// ready_set_bet/results.ts
function resultsPart(at, again) {
  const element = h("section", { class: "panel results" });
  return {
    element,
    show(view) {
      const isOver = view.phase === "over";
      element.hidden = !view.podium;
      if (view.podium)
        redraw(element, [view.race, view.bets, view.purses, isOver], () => [
          h("h2", {}, isOver ? winners(at, view) : say("results.title", { race: view.race })),
          podium(at, view),
          table(at, view),
          isOver && h("button", { class: "primary", onclick: again }, say("results.again"))
        ]);
    }
  };
}
function winners({ players }, { ranking }) {
  const names = (ranking?.[0] ?? []).map((seat) => players[seat]).join(", ");
  return say("results.winner", { names });
}
function podium({ caller }, { podium: podium2 }) {
  const kinds = ["win", "place", "show"];
  return h(
    "dl",
    { class: "podium" },
    ...kinds.map(
      (kind) => h(
        "div",
        {},
        h("dt", {}, caller.name("kind", kind)),
        h("dd", {}, ...(podium2?.[kind] ?? []).flatMap((name) => [h("b", {}, name), " "]))
      )
    )
  );
}
function table(at, view) {
  const order = at.players.map((_, seat) => seat);
  const rank = (seat) => seat === at.seat ? Infinity : moneyOf(view, seat);
  order.sort((one, other) => rank(other) === rank(one) ? one - other : rank(other) - rank(one));
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, say("results.player")),
        h("th", { scope: "col" }, say("results.bets")),
        h("th", { scope: "col", class: "number" }, say("results.money"))
      )
    ),
    h("tbody", {}, ...order.map((seat) => row(at, view, seat)))
  );
}
function row(at, view, seat) {
  const bets = view.bets.filter((bet) => bet.seat === seat);
  return h(
    "tr",
    { class: seat === at.seat ? "me" : "" },
    h("th", { scope: "row" }, at.players[seat]),
    h("td", {}, h("ul", { class: "bets" }, ...bets.map((bet) => betLine(at, bet)))),
    h("td", { class: "number" }, `${moneyOf(view, seat)} €`)
  );
}
function betLine(at, { token, bonus, spot, outcome, payout, seat }) {
  const amount = payout ?? 0;
  return h(
    "li",
    { "data-outcome": outcome ?? "" },
    chip({ value: token, bonus }, colourOf(at, seat)),
    h("span", { class: seat === at.seat ? "bet-name" : "unseen" }, at.caller.name("spot", spot)),
    h("b", {}, amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0"),
    h("span", { class: "unseen" }, outcome ? at.caller.name("outcome", outcome) : "")
  );
}

// ready_set_bet/seats.ts
function seatsPart(at) {
  const list = h("ol", { class: "seats" });
  const element = h("section", { class: "panel seats-panel" }, h("h2", {}, say("seats.title")), list);
  return {
    element,
    show(view) {
      redraw(
        list,
        [view.purses, view.tokens, view.vip?.kept, view.vip?.choosing, view.announcer],
        () => at.players.map((player, seat) => seatLine(at, view, player, seat))
      );
    }
  };
}
function seatLine(at, view, player, seat) {
  const colour = colourOf(at, seat);
  const kept = view.vip?.kept[seat] ?? [];
  const dot = h("span", { class: "dot" });
  dot.style.setProperty("--seat", colour);
  return h(
    "li",
    { class: seat === at.seat ? "me" : "" },
    dot,
    h(
      "span",
      { class: "player" },
      h("strong", {}, player),
      seat === at.seat && h("small", {}, ` ${say("seats.you")}`),
      seat === view.announcer && h("small", {}, ` ${say("seats.announcer")}`)
    ),
    h(
      "span",
      { class: "tokens", role: "img", "aria-label": say("seats.tokens", { tokens: (view.tokens[seat] ?? []).join(", ") }) },
      ...(view.tokens[seat] ?? []).map((value) => chip({ value }, colour))
    ),
    h("strong", { class: "sum" }, `${moneyOf(view, seat)} €`),
    kept.length > 0 && h(
      "ul",
      { class: "vip" },
      ...kept.map(({ title, text }) => h("li", {}, h("b", {}, inWords(title)), " ", inWords(text)))
    )
  );
}

// ready_set_bet/horse.ts
function horse(colour, number) {
  return svg(
    "g",
    { class: `horse horse-${colour}` },
    svg("path", { class: "tail", d: "M9 13C4 10 3 17 0 18C3 20 8 18 10 16Z" }),
    svg("path", { class: "leg back", d: "M12 17L7 22L2 22M14 18L13 25L17 30" }),
    svg("path", { class: "leg front", d: "M28 18L36 21L41 19M26 19L31 25L28 30" }),
    svg("path", {
      class: "coat",
      d: "M8 14C8 9 15 9 20 10C25 11 27 9 30 5C31 3 33 2 35 2L36 0L38 3C41 4 44 7 46 10L44 12L39 10C37 13 35 16 31 19C26 22 12 22 9 18C8 17 8 15 8 14Z"
    }),
    svg("path", { class: "jockey", d: "M15 10L20 4L25 5L28 9L22 10Z" }),
    svg("circle", { class: "cap", cx: 23.5, cy: 2.6, r: 2.6 }),
    svg("rect", { class: "cloth", x: 12, y: 10.5, width: 13, height: 8, rx: 1.5 }),
    svg("text", { class: "cloth-number", x: 18.5, y: 17 }, number)
  );
}

// ready_set_bet/track.ts
var GALLOP_MS = 900;
function trackPart({ book, caller }) {
  const { finish, red_line } = book.track;
  const lanes = book.horses.map((about) => {
    const runner = h(
      "div",
      { class: "runner" },
      svg("svg", { viewBox: "0 0 48 32", "aria-hidden": "true" }, horse(about.colour, about.horse))
    );
    const state = h("span", { class: "unseen" });
    const place = h("span", { class: "rank" });
    const bonus = about.bonus ? `+${about.bonus}` : "";
    const element2 = h(
      "li",
      { class: `lane lane-${about.colour}` },
      h(
        "span",
        { class: "lane-name" },
        h("b", {}, about.horse),
        h("span", {}, inWords(about.name)),
        h("small", {}, bonus)
      ),
      h("span", { class: "turf" }, runner),
      place,
      state
    );
    return { element: element2, runner, state, place, position: 0 };
  });
  const list = h("ol", { class: "lanes", "aria-label": say("track") }, ...lanes.map(({ element: element2 }) => element2));
  const element = h("section", { class: "track" }, list);
  element.style.setProperty("--spaces", String(finish + 1));
  element.style.setProperty("--red-line", String(red_line));
  return {
    element,
    show(view) {
      lanes.forEach((lane, number) => {
        const position = view.positions[number] ?? 0;
        const { horse: name } = book.horses[number];
        lane.runner.style.setProperty("--at", String(position));
        lane.state.textContent = say("track.at", { position, finish });
        lane.element.classList.toggle("crossed", position >= red_line);
        lane.element.classList.toggle("moved", view.last_horse === name && view.roll > 0);
        lane.place.textContent = placeOf(view, name, caller.name.bind(caller));
        if (position > lane.position) gallop(lane.runner);
        lane.position = position;
      });
    }
  };
}
function placeOf({ podium: podium2 }, name, word) {
  const kind = ["win", "place", "show"].find((one) => podium2?.[one].includes(name));
  return kind ? word("kind", kind) : "";
}
function gallop(runner) {
  runner.classList.add("gallops");
  setTimeout(() => runner.classList.remove("gallops"), GALLOP_MS);
}

// ready_set_bet/page.ts
var LINES_MAX2 = 60;
var SILENT = /* @__PURE__ */ new Set(["bet_placed", "bet_settled", "bonus_token_used"]);
var QUIET = /* @__PURE__ */ new Set(["money_settled", "vip_paid"]);
function readySetBetPage(at, table2, again) {
  const play = async (command) => {
    try {
      await table2.play(command);
    } catch (error) {
      tell(explain(error), "bad");
    }
  };
  const hand = handPart(at, (command) => void play(command));
  const bet = (spot) => {
    const token = hand.chosen();
    if (at.seat === null) return tell(say("hand.spectator"), "bad");
    if (!token) return tell(say("hand.empty"), "bad");
    void play({ type: "place_bet", spot, token: token.value, bonus: token.bonus ?? null });
  };
  const board = boardPart(at, bet);
  const track = trackPart(at);
  const dice = dicePart();
  const countdown = countdownPart();
  const results = resultsPart(at, again);
  const seats = seatsPart(at);
  const parts = [track, dice, countdown, board, hand, results, seats];
  const phase = h("p", { class: "phase" });
  const newest = h("p", { class: "call" });
  const aloud = h("p", { class: "unseen", role: "log", "aria-live": "polite" });
  const calls = h("ol", { class: "calls", "aria-label": say("calls") });
  const element = h(
    "div",
    { class: "ready-set-bet" },
    h(
      "div",
      { class: "race" },
      h("div", { class: "race-head" }, dice.element, h("div", {}, phase, newest, aloud), countdown.element),
      track.element,
      results.element,
      seats.element,
      h("section", { class: "panel calls-panel" }, h("h2", {}, say("calls")), calls)
    ),
    h("div", { class: "betting" }, board.element, hand.element)
  );
  return {
    element,
    showView({ view }) {
      element.dataset["phase"] = view.phase;
      redraw(phase, [view.phase, view.race], () => [
        h("b", {}, say("race", { race: view.race, races: view.options.races ?? 4 })),
        ` · ${at.caller.name("phase", view.phase)}`
      ]);
      for (const part of parts) part.show(view);
    },
    showCommit({ events }) {
      const heard = events.filter(({ type }) => !SILENT.has(type));
      const said = heard.flatMap((event) => at.caller.calls(event));
      if (!said.length) return;
      aloud.textContent = said.join(" ");
      const loud = heard.filter(({ type }) => !QUIET.has(type)).flatMap((event) => at.caller.calls(event));
      if (loud.length) newest.textContent = loud.join(" ");
      for (const line of said) calls.prepend(h("li", {}, line));
      while (calls.children.length > LINES_MAX2) calls.lastElementChild.remove();
    }
  };
}

// session.ts
var KEPT2 = "railbird.token";
async function signIn() {
  const client = new Client(location.origin, localStorage.getItem(KEPT2) ?? "");
  if (client.token) {
    try {
      await client.me();
      return client;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 401)) throw error;
      client.token = "";
    }
  }
  client.token = (await client.createGuest()).token;
  localStorage.setItem(KEPT2, client.token);
  return client;
}

// tables.ts
var BOTS = 3;
var OPTIONS = { ready_set_bet: { pause_ms: 8e3 } };
async function playAgainstBots(client, { slug, seats }) {
  const bots = Math.min(Math.max(BOTS, seats.least - 1), seats.most - 1);
  const body = { slug, options: OPTIONS[slug] ?? {}, capacity: bots + 1 };
  const lobby = await client.createLobby(body);
  for (let bot = 0; bot < bots; bot++) await client.addBot(lobby.id);
  goToGame((await client.startGame(lobby.id)).id);
}
function goToGame(game) {
  location.assign(`/games/${game}/`);
}

// table.ts
var id = location.pathname.split("/")[2];
var connection = h("p", { class: "connection", role: "status" }, say("connecting"));
void main();
async function main() {
  showPage(say("connecting"), connection);
  try {
    const client = await signIn();
    const game = await client.getGame(id);
    const [rules, book] = await Promise.all([client.listRules(), client.getBook(game.slug)]);
    const about = rules.find(({ slug }) => slug === game.slug);
    const again = () => void attempt(() => playAgainstBots(client, about));
    if (game.slug === "ready_set_bet") {
      const table2 = client.table(id);
      const at = atTable(game, book);
      await show(client, about.title, table2, readySetBetPage({ ...at, book }, table2, again));
    } else {
      const table2 = client.table(id);
      await show(client, about.title, table2, genericPage(client, game, table2, atTable(game, book).caller));
    }
  } catch (error) {
    tell(explain(error), "bad");
    connection.textContent = explain(error);
  }
}
function atTable({ seats, your_seat }, book) {
  const players = [...seats].sort((one, other) => one.number - other.number).map(({ name }) => name);
  return { caller: new Caller(book, players), players, seat: your_seat };
}
async function show(client, title, table2, page) {
  showPage(inWords(title), h("h1", { class: "unseen" }, inWords(title)), connection, page.element);
  const showConnection = (isConnected) => {
    connection.textContent = isConnected ? "" : say("reconnecting");
  };
  showConnection(true);
  await follow(client, id, table2, {
    onView: page.showView,
    onCommit: page.showCommit,
    onConnection: showConnection
  });
}
