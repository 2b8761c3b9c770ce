/** Lines that stay about what still counts: horses that are out or past the post, entries, tickets. */
import { h, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { namesOf } from "../second_person.ts";
import { arrivedOf, francs, horsesOf, type Table, type View } from "./game.ts";
import { stakedOn } from "./tote.ts";
import { say } from "./words.ts";

/** The fates of horses that have left the race; those of the training have left the game. */
const OUT = { eliminated: "out.game", lost: "out.race", disqualified: "out.race" } as const;
const ENTERED: ReadonlySet<View["phase"]> = new Set(["favourites", "betting"]);

export function factsOf(table: Table, view: View): HTMLElement[] {
  const arrived = view.phase === "finished" ? [] : arrivedOf(view);
  const post = arrived.map((number, place) => say("post.place", { place: place + 1, horse: withOwner(table, view, number) }));
  const lines: Child[][] = [
    stakedOn(table, view),
    post.length ? [term("post", say("post.arrived")), " ", post.join(", ")] : [],
    ...(["out.game", "out.race"] as const).map((key) => {
      const out = horsesOf(view).filter(([, { fate }]) => OUT[fate as keyof typeof OUT] === key);
      return out.length ? [term("out", say(key)), " ", out.map(([number]) => withOwner(table, view, number)).join(", ")] : [];
    }),
    entered(table, view),
  ];
  return lines.filter(({ length }) => length).map((line) => h("p", { class: "fact" }, ...line));
}

/** A horse with its owner in brackets. */
function withOwner(table: Table, { horses }: View, number: number): string {
  return say("horse.of", { horse: table.caller.name("horse", number), name: namesOf(table, [horses[number]!.owner])[0]! });
}

/** The entries of the user's horses, once they are paid. */
function entered({ printed, seat }: Table, view: View): Child[] {
  if (!ENTERED.has(view.phase)) return [];
  const runners = horsesOf(view).filter(([, { owner, fate }]) => owner === seat && fate === "running").length;
  return runners ? [say("entry.paid", { sum: francs(runners * printed.tariff.entry_fee), runners })] : [];
}
