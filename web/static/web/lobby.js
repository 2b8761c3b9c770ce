// dom.ts
function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
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
function goToGame(game) {
  location.assign(`/games/${game}/`);
}

// lobby.ts
var id = location.pathname.split("/")[2];
var heading = h("h1", {}, say("connecting"));
var seats = h("ol", { class: "tables" });
var actions = h("div", { class: "actions" });
showPage(
  say("lobby.title"),
  h("section", { class: "narrow" }, heading, h("p", { class: "quiet" }, say("lobby.lead")), seats, actions)
);
void main();
async function main() {
  try {
    const client = await signIn();
    const me = (await client.me()).id;
    const { slug } = await client.getLobby(id);
    const rules = (await client.listRules()).find((one) => one.slug === slug);
    heading.textContent = rules ? inWords(rules.title) : slug;
    for await (const news of client.room(id)) {
      if (news.type === "news") show(client, news.lobby, me, rules?.seats.least ?? 1);
    }
  } catch (error) {
    tell(explain(error), "bad");
  }
}
function show(client, lobby, me, least) {
  if (lobby.game) return goToGame(lobby.game);
  const isHost = lobby.host === me;
  const mine = lobby.seats.find(({ user }) => user === me);
  redraw(
    seats,
    lobby.version,
    () => Array.from({ length: lobby.capacity }, (_, number) => {
      const seat = lobby.seats.find((one) => one.number === number);
      if (!seat) return h("li", { class: "quiet" }, say("lobby.free"));
      const state = seat.is_bot ? say("lobby.bot") : seat.is_ready ? say("lobby.is_ready") : "";
      return h("li", {}, h("strong", {}, seat.name), h("span", { class: "quiet" }, state));
    })
  );
  redraw(actions, lobby.version, () => {
    const buttons = [];
    const add = (text, work, disabled = false) => {
      buttons.push(h("button", { disabled, onclick: () => attempt(work) }, text));
    };
    const isFull = lobby.seats.length >= lobby.capacity;
    if (!mine) add(say("start.join"), () => client.joinLobby(id), isFull);
    if (isHost) {
      add(say("lobby.add_bot"), () => client.addBot(id), isFull);
      add(say("lobby.start"), () => client.startGame(id), lobby.seats.length < least);
    } else if (mine) {
      const ready = !mine.is_ready;
      add(ready ? say("lobby.ready") : say("lobby.not_ready"), () => client.setReady(id, { ready }));
    }
    if (mine) add(say("lobby.leave"), () => client.leaveLobby(id).then(() => location.assign("/")));
    add(say("lobby.invite"), async () => {
      await navigator.clipboard.writeText(location.href);
      tell(say("lobby.copied"));
    });
    return buttons;
  });
}
