/** The great events of the user's own horses, cards and money, in words. */
import { spoken } from "../calls.ts";
import { dealInWords } from "./deals.ts";
import { francs, type Event, type Table, type View } from "./game.ts";
import { say } from "./words.ts";

/** `before` is the view before the events, and has the owners of the horses. */
export function ownNews(table: Table, before: View | undefined, events: readonly Event[]): string[] {
  const { caller, seat } = table;
  if (seat === null || !before) return [];
  const entries = events.flatMap((event) => (event.type === "horse_entered" && event.seat === seat ? [event] : []));
  const entered = entries.length
    ? [say("entries", { sum: francs(entries.reduce((sum, { fee }) => sum + fee, 0)), horses: entries.map(({ horse }) => caller.name("horse", horse)).join(", ") })]
    : [];
  const great = events
    .filter((event) => isGreat(event, seat, before))
    .map((event) => {
      const said = [...caller.calls(event).map(spoken), ...ownerOf(table, event, before)].join(" ");
      const deal = event.type === "offer_accepted" && before.offers.find(({ number }) => number === event.offer);
      return deal ? `${said} ${dealInWords(table, deal)}` : said;
    });
  return [...great, ...entered];
}

/** The owner of a horse whose fate is decided, if it is another player. */
function ownerOf(table: Table, event: Event, { horses }: View): string[] {
  const owner = isFate(event) ? horses[event.horse]?.owner : undefined;
  return owner === undefined || owner === table.seat ? [] : [say("horse.owner", { name: table.players[owner]! })];
}

/** Whether an event decides what becomes of a horse, which concerns every player. */
function isFate(event: Event): event is Extract<Event, { type: (typeof FATES)[number] }> {
  return (FATES as readonly string[]).includes(event.type);
}

const FATES = ["horse_eliminated", "horse_passed", "horse_disqualified", "horse_lost"] as const;

function isGreat(event: Event, seat: number, { horses, offers, offices }: View): boolean {
  switch (event.type) {
    case "preliminaries_opened":
      return true;
    case "horse_assigned":
      return event.buyer === seat || event.seller === seat;
    case "lot_sold":
      return event.buyer === seat || event.seller === seat || (event.commission > 0 && offices["auctioneer"] === seat);
    case "money_paid":
      return event.payer === seat || event.payee === seat;
    case "offer_accepted":
      return event.seat === seat || offers.some((offer) => offer.number === event.offer && offer.seat === seat);
    case "horse_disqualified":
    case "horse_eliminated":
    case "horse_lost":
    case "horse_passed":
      return true;
    case "hazard_met":
    case "horse_fell":
    case "horse_scratched":
      return horses[event.horse]?.owner === seat;
    case "auctioneer_named":
    case "debt_opened":
    case "prize_paid":
    case "report_taken":
    case "strangled":
      return event.seat === seat;
    default:
      return false;
  }
}
