/** The socket playground: the AsyncAPI document, and frames that are sent and received live. */
import { newId } from "railbird-client/ids";
import { socketDocument } from "./about.ts";
import { fail } from "./connection.ts";
import { h } from "./dom.ts";
import { showLoading, showPage, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import { signIn } from "./session.ts";
import { say } from "./words.ts";

const LINES_MAX = 200;

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  default?: unknown;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Message {
  name: string;
  summary: string;
  payload: Schema;
}

interface Channel {
  address: string;
  summary: string;
  description: string;
  messages: Record<string, Message>;
  parameters?: Record<string, { description: string }>;
  bindings: { ws: { query?: { properties?: Record<string, Schema> } } };
}

interface Document {
  channels: Record<string, Channel>;
  operations: Record<string, { action: "receive" | "send" }>;
  components: { schemas: Record<string, Schema> };
}

void main();

async function main(): Promise<void> {
  showLoading(say("sockets.title"));
  try {
    const { token } = await signIn();
    const about = (await socketDocument()) as Document;
    const place = h("div", { class: "playground" });
    const choice = h("select", { id: "channel" });
    for (const [name, { address }] of Object.entries(about.channels))
      choice.append(h("option", { value: name }, address));
    let playground: Playground | undefined;
    const show = (): void => {
      playground?.close();
      playground = new Playground(about, choice.value, token);
      place.replaceChildren(...playground.elements);
    };
    choice.addEventListener("change", show);
    show();
    showPage(
      say("sockets.title"),
      h("h1", {}, say("sockets.title")),
      h("p", {}, say("sockets.lead"), " ", h("a", { href: `${PATH}/asyncapi.yaml` }, "asyncapi.yaml")),
      field("channel", say("sockets.channel"), choice),
      place,
    );
  } catch (error) {
    fail(error);
  }
}

/** One channel: its address, its frames, and a connection. */
class Playground {
  readonly elements: HTMLElement[];
  readonly #about: Document;
  readonly #channel: Channel;
  readonly #token: string;
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #frame = h("textarea", { id: "frame", rows: 6, spellcheck: "false" });
  readonly #send = h("button", { disabled: true, onclick: () => this.#sendFrame() });
  readonly #connect = h("button", { class: "primary", onclick: () => this.#toggle() });
  readonly #lines = h("ol", { class: "frames" });
  #socket: WebSocket | undefined;

  constructor(about: Document, name: string, token: string) {
    this.#about = about;
    this.#token = token;
    this.#channel = about.channels[name]!;
    const { messages, summary, description, parameters = {}, bindings } = this.#channel;
    const isSent = (message: string): boolean =>
      about.operations[`${name}.${message}`]?.action === "receive";
    for (const each of [
      ...Object.keys(parameters),
      ...Object.keys(bindings.ws.query?.properties ?? {}),
    ])
      this.#inputs.set(each, h("input", { id: `input-${each}`, required: each in parameters }));
    const frames = h(
      "select",
      { id: "kind", onchange: () => this.#showSample(messages[frames.value]!) },
      ...Object.keys(messages)
        .filter((message) => isSent(message) && message !== "authenticate")
        .map((message) => h("option", { value: message }, message)),
    );
    this.#send.textContent = say("generic.send");
    this.#showSample(messages[frames.value]!);
    this.#showState();
    this.elements = [
      h(
        "section",
        { class: "panel" },
        h("h2", { lang: "en" }, summary),
        ...[...this.#inputs].map(([each, input]) => field(input.id, each, input)),
        this.#connect,
        h("h3", {}, h("label", { for: "kind" }, say("sockets.frame"))),
        frames,
        h("label", { for: "frame" }, say("sockets.json")),
        this.#frame,
        this.#send,
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, say("sockets.frames")),
        h(
          "div",
          { class: "frame-log", role: "log", tabindex: "0", "aria-label": say("sockets.frames") },
          this.#lines,
        ),
      ),
      h(
        "section",
        { class: "panel reference", lang: "en" },
        ...description.split("\n").map((line) => h("p", {}, line)),
        ...Object.values(messages).map((message) => this.#described(message, isSent(message.name))),
      ),
    ];
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#showState();
  }

  #toggle(): void {
    if (this.#socket) return this.close();
    const given = [...this.#inputs].map(([name, { value }]) => [name, value.trim()] as const);
    let address = this.#channel.address;
    const query = new URLSearchParams();
    for (const [name, value] of given)
      if (address.includes(`{${name}}`)) address = address.replace(`{${name}}`, value);
      else if (value) query.set(name, value);
    const url = `${location.origin.replace(/^http/, "ws")}${PATH}${address}`;
    const socket = new WebSocket(query.toString() ? `${url}?${query}` : url);
    socket.onopen = () => {
      this.#note("sent", { type: "authenticate", token: "…" });
      socket.send(JSON.stringify({ type: "authenticate", token: this.#token }));
      this.#showState();
    };
    socket.onmessage = ({ data }) => this.#note("received", parsed(data));
    socket.onclose = ({ code }) => {
      this.#note("closed", code);
      if (socket === this.#socket) this.close();
    };
    this.#socket = socket;
    this.#showState();
  }

  #sendFrame(): void {
    let frame: unknown;
    try {
      frame = JSON.parse(this.#frame.value);
    } catch (error) {
      return tell(String(error), "bad");
    }
    this.#socket?.send(JSON.stringify(frame));
    this.#note("sent", frame);
  }

  #showState(): void {
    this.#connect.textContent = say(this.#socket ? "sockets.disconnect" : "sockets.connect");
    this.#send.disabled = this.#socket?.readyState !== WebSocket.OPEN;
  }

  #note(kind: "sent" | "received" | "closed", content: unknown): void {
    const types = [content].flat().map((frame) => (frame as { type?: string } | null)?.type ?? frame);
    this.#lines.prepend(
      h(
        "li",
        { "data-kind": kind },
        h(
          "details",
          {},
          h("summary", {}, `${say(`sockets.${kind}`)}: ${types.join(", ")}`),
          h("pre", {}, JSON.stringify(content, null, 2)),
        ),
      ),
    );
    while (this.#lines.children.length > LINES_MAX) this.#lines.lastElementChild!.remove();
  }

  #showSample({ payload }: Message): void {
    this.#frame.value = JSON.stringify(this.#sample(payload), null, 2);
  }

  /** A value that fits a schema, as short as possible. */
  #sample(schema: Schema): unknown {
    const { type, format, enum: values, anyOf, minimum, properties = {}, required = [] } =
      this.#resolved(schema);
    if (values) return values[0];
    if (anyOf) return this.#sample(anyOf.find((one) => one.type !== "null") ?? anyOf[0]!);
    if (type === "integer" || type === "number") return minimum ?? 0;
    if (type === "boolean") return false;
    if (type === "array") return [];
    if (type === "string") return format === "uuid" ? newId() : "";
    return Object.fromEntries(required.map((name) => [name, this.#sample(properties[name]!)]));
  }

  #resolved(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name ? this.#resolved(this.#about.components.schemas[name]!) : schema;
  }

  #described({ name, summary, payload }: Message, isSent: boolean): HTMLElement {
    const content = h("pre", {}, "");
    return h(
      "details",
      {
        ontoggle: () => {
          content.textContent = JSON.stringify(this.#resolved(payload), null, 2);
        },
      },
      h("summary", {}, h("b", {}, name), ` ${isSent ? "from the client" : "from the server"}`),
      h("p", {}, summary),
      content,
    );
  }
}

/** A frame, or as it is what cannot be read. */
function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return String(data);
  }
}

function field(id: string, label: string, input: HTMLElement): HTMLElement {
  return h("p", { class: "field" }, h("label", { for: id }, label), input);
}
