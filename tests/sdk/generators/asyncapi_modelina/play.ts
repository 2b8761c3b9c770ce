// A race over the game socket, with frames of AsyncAPI's own generator: node play.ts URL

import type {
  Accepted,
  Authenticate,
  CommitsFrame,
  HeartbeatFrame,
  LegalCommandsFrame,
  ListLegalCommands,
  Play,
  Refused,
} from "./frames.ts";

type Sent = Authenticate | ListLegalCommands | Play;
type Received = Accepted | CommitsFrame | HeartbeatFrame | LegalCommandsFrame | Refused;

const url = process.argv[2]!;
let token = "";

async function post(path: string, body: object = {}): Promise<any> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  if (token === "") headers.Authorization = "";
  const answer = await fetch(`${url}/api/v1/${path}/`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

token = (await post("auth/guest")).token;
const options = { races: 1, roll_ms: 50, pause_ms: 0 };
const lobby = (await post("lobbies", { slug: "ready_set_bet", options })).id;
await post(`lobbies/${lobby}/bots`);
const game = (await post(`lobbies/${lobby}/start`)).id;

const socket = new WebSocket(`${url.replace("http", "ws")}/ws/v1/games/${game}?after=0`);
const send = (frame: Sent) => socket.send(JSON.stringify(frame));
const list = () => send({ type: "list_legal_commands", id: crypto.randomUUID() });

let accepted = 0;
let commits = 0;

socket.onopen = () => {
  send({ type: "authenticate", token });
  list();
};
socket.onmessage = ({ data }) => {
  const frame: Received = JSON.parse(data);
  switch (frame.type) {
    case "legal_commands": {
      const bet = frame.commands.find((each) => each.type === "place_bet");
      if (bet !== undefined) send({ type: "play", id: crypto.randomUUID(), command: bet });
      break;
    }
    case "accepted":
      accepted += 1;
      break;
    case "commits":
      commits += frame.commits.length;
      list();
      break;
    case "heartbeat":
      if (frame.ended !== "") {
        console.log(JSON.stringify({ accepted, version: frame.version, commits }));
        socket.close();
      }
  }
};
