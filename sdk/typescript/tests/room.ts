/**
 * Follow a lobby behind a proxy, change it after each event, and print the news: `room.ts URL PROXY
 * TIMES`.
 */
import { Client, type LobbyEvent } from "../src/index.ts";

const [url, proxy, times] = process.argv.slice(2) as [string, string, string];
const client = new Client(url, "", { entropy: false }); // commitments would be events too
client.token = (await client.createGuest({ display_name: "Tess" })).token;
const lobby = (await client.createLobby({ slug: "set_dice" })).id;
const events: LobbyEvent[] = [];
for await (const news of new Client(proxy, client.token).room(lobby, { after: 0 })) {
  if (news.type === "presence") continue;
  events.push(...news.events);
  if (news.lobby.status === "closed") continue;
  if (events.length < Number(times))
    await client.setReady(lobby, { ready: events.length % 2 === 0 });
  else await client.leaveLobby(lobby);
}
console.log(JSON.stringify({ lobby, token: client.token, events }));
