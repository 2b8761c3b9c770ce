"""A network and a clock of a page that a test rules."""

from typing import Final

from playwright.async_api import Page

OUTAGE: Final = """
const network = (window.network = { calls: [], sockets: new Set(), cutAt: "", isCut: false });
network.cutAt = sessionStorage.getItem("cutAt") ?? "";
network.cut = () => {
    network.isCut = true;
    for (const socket of network.sockets) socket.close();
};
const passes = (address) => {
    const { calls, cutAt } = network;
    if (calls.length === Number(cutAt || NaN) || (isNaN(cutAt) && address.includes(cutAt))) {
        network.cutAt = "";
        network.cut();
    }
    calls.push(address);
    return !network.isCut;
};
const plainFetch = fetch;
window.fetch = (address, asked) =>
    passes(String(address)) ? plainFetch(address, asked) : Promise.reject(new TypeError("cut"));
const PlainSocket = WebSocket;
window.WebSocket = class {
    static OPEN = 1;
    constructor(address) {
        const refused = (react) => queueMicrotask(() => react({ code: 1006 }));
        if (!passes(address)) return { close() {}, set onclose(react) { refused(react); } };
        const socket = new PlainSocket(address);
        network.sockets.add(socket);
        const close = socket.close.bind(socket); // which warns until the socket is open
        socket.close = () =>
            socket.readyState ? close() : socket.addEventListener("open", () => close());
        return socket;
    }
};
"""
"""Lets a test cut the network at the call of this number, or to this address, or at once."""


async def install(page: Page) -> None:
    """Give this page a network and a clock that the test rules."""
    await page.clock.install()
    await page.add_init_script(OUTAGE)
