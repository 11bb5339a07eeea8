// Checks a record in the browser, without the server: chain, secret, shuffle, first player, cards.
// docs/verify.md describes each step. Nothing here is taken from the server but the record itself.

import { _ } from "./words.js";

const CLAN_CARDS = [..."ROYGBP"].flatMap((clan) => [..."123456789"].map((n) => clan + n));
const TACTIC_CARDS = ["JOK", "JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"];
export const HASHED = ["seq", "v", "at", "type", "by", "via", "data", "private"];
const MAY_HIDE = ["game_created", "round_started", "card_drawn", "cards_recruited", "cards_returned"];
const LAST = ["game_ended", "game_aborted"];
const OTHER = { north: "south", south: "north" };

export const utf8 = new TextEncoder();
export const hex = (bytes) => Array.from(new Uint8Array(bytes), (b) => b.toString(16).padStart(2, "0")).join("");
export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));

function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function unhex(text) {
  if (!/^([0-9a-f]{2})+$/.test(text)) throw new Broken(null, _("A value that should be hexadecimal is not."));
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

/** What a check found wrong: at which event (null: the whole record), and what. */
export class Broken extends Error {
  constructor(seq, problem) {
    super(problem);
    this.seq = seq;
  }
}

/** A value as RFC 8785 JSON: members sorted by name, no white space. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** The events of a record in JSON Lines. Throws an Error that says which line cannot be read. */
export function readRecord(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Broken(null, _("The record holds no events."));
  return lines.map((line, index) => {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      throw new Broken(index + 1, _("This line is not JSON."));
    }
    if (event === null || typeof event !== "object" || HASHED.some((key) => !(key in event))) {
      throw new Broken(index + 1, _("This line is not an event of a game."));
    }
    return event;
  });
}

async function checkChain(events) {
  const over = LAST.includes(events.at(-1).type);
  let previous = "0".repeat(64);
  let hidden = 0;
  for (const [index, event] of events.entries()) {
    const seq = index + 1;
    if (event.seq !== seq) throw new Broken(seq, _("It says that it is event %(number)s.", { number: event.seq }));
    if (event.salt === null) {
      if (over || !MAY_HIDE.includes(event.type) || event.private !== null) {
        throw new Broken(seq, _("Its salt is missing, though it hides nothing."));
      }
      hidden += 1;
    } else {
      const body = canonical(Object.fromEntries(HASHED.map((key) => [key, event[key]])));
      const found = hex(await sha256(utf8.encode(`${previous}\n${event.salt}\n${body}`)));
      if (found !== event.hash) {
        throw new Broken(seq, _("Its hash does not follow from its content and the event before it."));
      }
    }
    previous = event.hash;
  }
  const count = events.length;
  return hidden === 0
    ? _("%(count)s events, each sealed to the one before.", { count })
    : _("%(count)s events, each sealed to the one before. %(hidden)s of them are still sealed and were taken by their hash.", { count, hidden });
}

async function checkSecret(events) {
  await checkSalts(events, secretOf(events));
  return _("The secret fits the seal, and every event’s salt follows from it.");
}

/** Checks that this secret is the one of the log's seal and of every salt in it. */
export async function checkSalts(events, secret) {
  const commitment = events[0].data.commitment;
  if (hex(await sha256(unhex(secret))) !== commitment) {
    throw new Broken(1, _("The seal is not the SHA-256 of the secret."));
  }
  const key = await crypto.subtle.importKey(
    "raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"],
  );
  for (const event of events) {
    const salt = hex(await crypto.subtle.sign("HMAC", key, utf8.encode(`salt:${event.seq}`)));
    if (event.salt !== salt) throw new Broken(event.seq, _("Its salt does not follow from the secret."));
    if ("secret" in event.data && event.data.secret !== secret) {
      throw new Broken(event.seq, _("It tells another secret than the one the game began with."));
    }
  }
}

const secretOf = (events) => events[0].private.secret;
export const joinOf = (events) => events.find((event) => event.type === "player_joined");

async function seedOf(events) {
  const zero = new Uint8Array(1);
  const salts = [events[0].data.salt, joinOf(events).data.salt].map((salt) => utf8.encode(salt));
  return sha256(unhex(secretOf(events)), zero, salts[0], zero, salts[1]);
}

/** The number stream of a label: an async generator of 32-bit words. */
async function* words(seed, label) {
  for (let block = 0; ; block += 1) {
    const count = new Uint8Array(8);
    new DataView(count.buffer).setUint32(4, block);
    const digest = new DataView((await sha256(seed, utf8.encode(label), count)).buffer);
    for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
  }
}

async function below(bound, stream) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = await stream.next();
    if (value < limit) return value % bound;
  }
}

export async function shuffled(cards, seed, label) {
  const order = [...cards];
  const stream = words(seed, label);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1, stream);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** What the decks follow from, by the players whose number is missing. */
const SHUFFLES = {
  nobody: _("The decks follow from that secret and both players’ numbers."),
  joiner: _("The decks follow from that secret and the number of the player who made the game. The player who joined gave no number (a bot, by mail or without JavaScript): the seal stands in its place."),
  maker: _("The decks follow from that secret and the number of the player who joined. The player who made the game gave no number (by mail or without JavaScript): the seal stands in its place."),
  both: _("The decks follow from that secret alone: neither player gave a number (a bot, by mail or without JavaScript), and the seal stands in place of both."),
};

/** Who of the players gave no number: the seal is in its place. */
export function without(events) {
  const { salt, commitment } = events[0].data;
  const joined = joinOf(events)?.data.salt;
  if (salt === commitment) return joined === commitment ? "both" : "maker";
  return joined === commitment ? "joiner" : "nobody";
}

async function checkShuffle(events) {
  const seed = await seedOf(events);
  for (const event of events.filter(({ type }) => type === "round_started")) {
    const { round } = event.data;
    const clan = await shuffled(CLAN_CARDS, seed, `clan:${round}`);
    const tactics = events[0].data.options.tactics;
    const tactic = tactics ? await shuffled(TACTIC_CARDS, seed, `tactic:${round}`) : [];
    if (canonical(event.private) !== canonical({ clan, tactic })) {
      throw new Broken(event.seq, _("The decks are not those that follow from the secret and both numbers."));
    }
  }
  return SHUFFLES[without(events)];
}

async function checkFirstPlayer(events) {
  const { seat, first_player: agreed, visited_scotland: mine } = events[0].data;
  const theirs = joinOf(events).data.visited_scotland;
  const start = events.find((event) => event.type === "round_started");
  let first;
  if (agreed === "creator") first = seat;
  else if (agreed === "opponent") first = OTHER[seat];
  else if (agreed === "scotland" && mine && theirs && mine !== theirs) {
    first = mine > theirs ? seat : OTHER[seat];
  } else {
    first = (await below(2, words(await seedOf(events), "first:1"))) === 0 ? "north" : "south";
  }
  if (start.data.first !== first) throw new Broken(start.seq, _("%(seat)s should have begun.", { seat: first }));
  return agreed === "creator" || agreed === "opponent"
    ? _("The player who was agreed on began.")
    : _("The first player follows from the dates given or from the lot.");
}

function take(from, card, event) {
  const at = from.indexOf(card);
  if (at < 0) throw new Broken(event.seq, _("%(card)s was played from a hand that did not hold it.", { card }));
  from.splice(at, 1);
}

function drawFrom(deck, count, event, cards) {
  const top = deck.splice(0, count);
  if (canonical(top) !== canonical(cards)) {
    throw new Broken(event.seq, _("The cards drawn are not the next ones of the deck."));
  }
  return top;
}

function dealt(start, handSize) {
  const decks = { clan: [...start.private.clan], tactic: [...start.private.tactic] };
  const hands = { north: [], south: [] };
  for (let card = 0; card < 2 * handSize; card += 1) {
    const seat = card % 2 === 0 ? start.data.first : OTHER[start.data.first];
    hands[seat].push(decks.clan.shift());
  }
  return { decks, hands };
}

const FOLLOW = {
  card_played: ({ hands }, event) => take(hands[event.by], event.data.card, event),
  ruse_played: ({ hands }, event) => take(hands[event.by], event.data.card, event),
  card_drawn: ({ hands, decks }, event) =>
    hands[event.by].push(...drawFrom(decks[event.data.deck], 1, event, event.private.cards)),
  cards_recruited: ({ hands, decks }, event) => {
    const { clan, tactic } = event.data;
    const cards = event.private.cards;
    hands[event.by].push(...drawFrom(decks.clan, clan, event, cards.slice(0, clan)));
    hands[event.by].push(...drawFrom(decks.tactic, tactic, event, cards.slice(clan)));
  },
  cards_returned: ({ hands, decks }, event) => {
    for (const card of event.private.cards) {
      take(hands[event.by], card, event);
      decks[CLAN_CARDS.includes(card) ? "clan" : "tactic"].push(card);
    }
  },
};

function checkCards(events) {
  let table = null;
  let followed = 0;
  for (const event of events) {
    if (event.type === "round_started") table = dealt(event, events[0].data.options.hand_size);
    else if (event.type in FOLLOW) {
      FOLLOW[event.type](table, event);
      followed += 1;
    }
  }
  return _("%(count)s plays and draws: each card came from the deck in order and from the hand that held it.", { count: followed });
}

function checkMine(events, kept) {
  if (events[0].data.commitment !== kept.commitment) {
    throw new Broken(1, _("The seal is not the one that this browser was shown before the game."));
  }
  const salts = [events[0], joinOf(events)].filter(Boolean).map((event) => event.data.salt);
  if (!salts.includes(kept.salt)) throw new Broken(1, _("The number that this browser made is not in the game."));
  return _("The seal and the number are those that this browser kept from before the first card.");
}

function checkHeads(events, heads) {
  const bound = heads.map((head) => events.findIndex((event) => event.hash === head) + 1);
  if (bound.includes(0)) {
    throw new Broken(null, _("This browser was shown a head of the game that no event of the record has."));
  }
  const last = Math.max(...bound);
  const rest = events.length - last;
  if (rest === 0) return _("All %(last)s events are those that this browser saw while the game went on.", { last });
  return rest === 1
    ? _("The first %(last)s events are those that this browser saw while the game went on. The last one it sees for the first time: the chain alone holds it.", { last })
    : _("The first %(last)s events are those that this browser saw while the game went on. The last %(rest)s it sees for the first time: the chain alone holds them.", { last, rest });
}

/**
 * Checks a record, `events` of `readRecord`, one check after the other.
 * `kept`: the {commitment, salt} that this browser kept, or null. `heads`: the hashes of the log that
 * it was shown while the game went on. Without one, nothing shows that these moves were played:
 * whoever has a finished record can change them and seal it anew.
 * Yields {name, state: "passed" | "failed" | "later", seq, text}; stops at the first failure.
 */
export async function* verify(events, kept = null, heads = []) {
  const over = LAST.includes(events.at(-1).type);
  const later = _("This can be checked once the game is over and its secret is told.");
  const started = events.some((event) => event.type === "round_started");
  const checks = [
    ["Chain", checkChain, true, ""],
    ["Secret", checkSecret, over, later],
    ["Shuffle", checkShuffle, over && started, over ? _("No cards were dealt.") : later],
    ["First player", checkFirstPlayer, over && started, over ? _("No cards were dealt.") : later],
    ["Cards", checkCards, over && started, over ? _("No cards were dealt.") : later],
  ];
  if (kept !== null) checks.push(["Your salt", (all) => checkMine(all, kept), true, ""]);
  if (heads.length) checks.push(["Moves", (all) => checkHeads(all, heads), true, ""]);
  for (const [name, check, possible, otherwise] of checks) {
    if (!possible) {
      yield { name, state: "later", seq: null, text: otherwise };
      continue;
    }
    try {
      yield { name, state: "passed", seq: null, text: await check(events) };
    } catch (error) {
      const broken = error instanceof Broken;
      const text = broken ? error.message : _("The events do not hold what they should.");
      yield { name, state: "failed", seq: broken ? error.seq : null, text };
      return;
    }
  }
}
