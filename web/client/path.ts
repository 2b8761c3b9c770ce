/** The path of this server, where it has no host of its own: `/games` for https://example.org/games/. */
export const PATH = document.documentElement.dataset["path"] ?? "";

/** The parts of this page's address below that path. */
export const parts = location.pathname.slice(PATH.length).split("/");

/** Whether this page is shown to a whole room: large, and without controls. It stays so from lobby to game. */
export const isScreen = new URLSearchParams(location.search).has("screen");
