// Checks the log of a season in the browser: chain, secret, draw, pairs, the order of its events, and
// every table; of a ladder every challenge (`ladder.js`). Nothing here is taken from the server but
// the log itself. docs/seasons.md describes each step; `service/seasons/rules.py` and `verify.py` check the same.

import { DAY, LONGEST_WAIT, Ladder, NOBODYS, TIME_OUTS, areOfLadder, isResult } from "./ladder.js";
import { checkForm, readLines } from "./season_form.js";
import { Broken, HASHED, canonical, checkSalts, hex, sha256, shuffled, unhex, utf8 } from "./verify.js";
import { _ } from "./words.js";

const SMALLEST = 4;
const LARGEST = 8;
const MOVES = 2;
const FEWEST = 2;
const SEEN = 7 * DAY;
const LEFT_OUT = ["not-seen", "gone"];
const isBot = (player) => /^bot[a-z]+2+$/.test(player);

async function readLog(url) {
  const answer = await fetch(url, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return readLines(await answer.text());
}

async function checkChain(events) {
  let previous = NOBODYS;
  for (const [index, event] of events.entries()) {
    const seq = index + 1;
    const body = canonical(Object.fromEntries(HASHED.map((key) => [key, event[key]])));
    const found = hex(await sha256(utf8.encode(`${previous}\n${event.salt}\n${body}`)));
    // Secrets: that of the draw until the season starts, and that of the cards until it is over.
    const hidden = event.private === null && (event.type === "sealed" || (seq === 1 && event.salt === null));
    if (event.seq !== seq || (found !== event.hash && !hidden)) {
      throw new Broken(seq, _("Its hash does not follow from its content and the event before it."));
    }
    previous = event.hash;
  }
}

const same = (one, other) => canonical(one) === canonical(other);

async function seedOf(events) {
  const salts = events.filter((event) => event.type === "entered").map((event) => utf8.encode(event.data.salt));
  return sha256(unhex(events[0].private.secret), ...salts.flatMap((salt) => [new Uint8Array(1), salt]));
}

/** The divisions that follow from the draw, and from `last`, the order after the season before. */
async function drawn(events, seed, last) {
  const { division: best, bots } = events[0].data;
  const before = events.slice(0, events.findIndex((event) => event.type === "started"));
  const inIt = new Set();
  const entered = new Set();
  for (const { type, data } of before) {
    if (type === "entered") entered.add(data.player);
    if (type === "entered") inIt.add(data.player);
    if (type === "withdrawn") inIt.delete(data.player);
  }
  const lots = await shuffled([...entered], seed, "order:1");
  const order = [...new Set([...last, ...lots])].filter((player) => inIt.has(player));
  const divisions = [];
  let at = 0;
  for (const size of sizes(order.length, best)) {
    const people = order.slice(at, at + size);
    at += size;
    const filling = bots.slice(0, Math.max(0, best - people.length)).map((name) => `bot${name}`.padEnd(16, "2"));
    divisions.push([...people, ...filling]);
  }
  return divisions;
}

/** The sizes of the divisions of so many players, the larger ones first. */
function sizes(players, best) {
  const least = Math.max(roundHalfEven(players / best), Math.ceil(players / LARGEST));
  const count = Math.max(1, Math.min(least, Math.floor(players / SMALLEST)));
  return Array.from({ length: count }, (_, number) => Math.floor(players / count) + (number < players % count ? 1 : 0));
}

function roundHalfEven(value) {
  const whole = Math.floor(value);
  const rest = value - whole;
  return rest > 0.5 || (rest === 0.5 && whole % 2 === 1) ? whole + 1 : whole;
}

function pairs(division) {
  return division.flatMap((one, index) =>
    division.slice(index + 1).flatMap((other) => [[1, one, other], [2, other, one]]));
}

/** The state of a season, and which events may follow in it. */
class Walk {
  constructor({ at, data }) {
    this.rules = data;
    this.due = data.starts_at === null ? Date.parse(at) + LONGEST_WAIT : Date.parse(data.starts_at);
    this.at = at;
    this.seenAt = new Map(); // of those in it, when they entered
    this.divisions = null;
    this.paired = new Set();
    this.games = new Map();
    this.results = new Map();
    this.leftOutAt = null;
    this.isSealed = false;
    this.isOver = false;
  }

  /** Whether this event may come next. */
  allows({ seq, type, at, data }) {
    const isLeftOut = type === "withdrawn" && LEFT_OUT.includes(data.reason);
    const mayInterrupt = this.leftOutAt === null
      || (this.leftOutAt === at && (isLeftOut || type === "started" || type === "ended"));
    if (at < this.at || this.isOver || !mayInterrupt) return false;
    const mayBeSealed = ({ next_cards: next = null }) => next === null && (seq === 2 || (this.isSealed && this.divisions === null));
    const may = { sealed: mayBeSealed, entered: this.mayEnter, withdrawn: this.mayWithdraw, started: this.mayStart, paired: this.mayPair, result: this.mayEndGame, ended: this.mayEnd };
    return Object.hasOwn(may, type) && may[type].call(this, data, Date.parse(at));
  }

  take({ type, at, data }) {
    this.at = at;
    this.leftOutAt = type === "withdrawn" && LEFT_OUT.includes(data.reason) ? at : null;
    if (type === "sealed") this.isSealed = true;
    if (type === "entered") this.seenAt.set(data.player, Date.parse(at));
    if (type === "withdrawn") this.seenAt.delete(data.player);
    if (type === "started") this.divisions = data.divisions;
    if (type === "paired") {
      this.paired.add(data.division);
      for (const game of data.games) this.games.set(game.game, game);
    }
    if (type === "result") this.results.set(data.game, data);
    if (type === "ended") this.isOver = true;
  }

  mayEnter({ player }) {
    return this.divisions === null && !this.seenAt.has(player);
  }

  mayWithdraw({ player, reason }, at) {
    if (!this.seenAt.has(player) || !["left", "time-outs", ...LEFT_OUT].includes(reason)) return false;
    if ((reason === "time-outs") !== (this.timeOuts(player) >= TIME_OUTS)) return false;
    if (LEFT_OUT.includes(reason) && this.divisions !== null) return false;
    return reason !== "not-seen" || at >= this.seenAt.get(player) + SEEN;
  }

  mayStart(_data, at) {
    const { players } = this.rules;
    const isFull = players !== null && this.seenAt.size >= players;
    return this.divisions === null && this.areEnough() && (isFull || at >= this.due);
  }

  mayPair({ division, games }) {
    const ids = games.map((game) => game.game);
    return this.divisions !== null && 0 < division && division <= this.divisions.length
      && !this.paired.has(division) && new Set(ids).size === ids.length && !ids.some((id) => this.games.has(id));
  }

  mayEndGame(result) {
    const paired = this.games.get(result.game);
    const heads = new Set([...this.results.values()].map((other) => other.head));
    return paired && !this.results.has(result.game) && isResult(result, [paired.north, paired.south], heads);
  }

  mayEnd({ by_operator: byOperator }, at) {
    if (byOperator) return this.divisions === null; // the operator calls it off
    if (this.divisions === null) return at >= this.due && !this.areEnough();
    return this.paired.size === this.divisions.length && this.results.size === this.games.size
      && ![...this.seenAt.keys()].some((player) => this.timeOuts(player) >= TIME_OUTS);
  }

  areEnough() {
    const { division: best, bots } = this.rules;
    const [size] = sizes(this.seenAt.size, best);
    return this.seenAt.size >= FEWEST && size + Math.min(bots.length, Math.max(0, best - size)) >= SMALLEST;
  }

  timeOuts(player) {
    return [...this.results.values()].filter(({ game, reason, winner }) => {
      const { north, south } = this.games.get(game);
      return reason === "time-out" && winner !== null && winner !== player && [north, south].includes(player);
    }).length;
  }
}

const areOfLeague = ({ division }) => SMALLEST <= division && division <= LARGEST;
const isLadder = (events) => events[0].data.format === "ladder";

/** The state after all events, each of which may follow the one before. */
function checkOrder(events) {
  const walk = isLadder(events) ? new Ladder(events[0]) : new Walk(events[0]);
  for (const event of events) {
    const mayFollow = event.seq === 1
      ? event.type === "announced" && (isLadder(events) ? areOfLadder : areOfLeague)(event.data)
      : walk.allows(event);
    if (!mayFollow) {
      throw new Broken(event.seq, _("By the rules this event cannot follow here."));
    }
    if (event.seq > 1) walk.take(event);
  }
  return walk;
}

/** Checks the seals of the cards, and says what they show. The records of the games show the rest. */
async function* cardsSaid(events) {
  const seals = events.filter(({ type }) => type === "sealed");
  const hidden = seals.find((seal) => seal.private === null);
  for (const { seq, data, private: told } of seals.filter((seal) => seal.private !== null)) {
    if (hex(await sha256(unhex(told.secret))) !== data.commitment) {
      throw new Broken(seq, _("The seal is not the SHA-256 of the secret."));
    }
  }
  if (!isLadder(events)) {
    if (!seals.length) yield _("Nothing seals the cards: the season is of an older version.");
    else if (!hidden) yield _("The secret of the cards fits its seal.");
    else if (events.at(-1).type === "ended") throw new Broken(hidden.seq, _("The secret of the cards is still hidden."));
    else yield _("The secret of the cards stays sealed until the season is over.");
  }
  const count = seals.length - 1;
  if (count > 0) yield _("How often the cards were sealed anew, so that the host could choose among secrets: %(count)s.", { count });
}

/** Those whose games left the table: fewer than half were over when they left the season. */
function leavers(events) {
  const games = events.filter((event) => event.type === "paired").flatMap((event) => event.data.games);
  const over = new Set();
  const left = new Set();
  for (const { type, data } of events) {
    if (type === "result") over.add(data.game);
    const own = games.filter((game) => [game.north, game.south].includes(data.player));
    if (type === "withdrawn" && 2 * own.filter((game) => over.has(game.game)).length < own.length) left.add(data.player);
  }
  return left;
}

/** The players of a division in their order, those whose games left the table last. */
async function table(events, seed, number) {
  const division = events.find((event) => event.type === "started").data.divisions[number - 1];
  const paired = events.find((event) => event.type === "paired" && event.data.division === number).data.games;
  const away = leavers(events);
  const games = events
    .filter((event) => event.type === "result" && event.data.reason !== "removed")
    .map((event) => ({ ...paired.find((game) => game.game === event.data.game), ...event.data }))
    .filter((game) => game.north && !away.has(game.north) && !away.has(game.south));
  const gained = (game, player) => (game.winner === null ? 1 : game.winner === player ? 2 : 0);
  const played = (player) => games.filter((game) => [game.north, game.south].includes(player));
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const points = Object.fromEntries(division.map((player) => [player, sum(played(player).map((game) => gained(game, player)))]));
  const lot = await shuffled(division, seed, `lot:${number}`);
  const rank = (player) => [
    -points[player],
    -sum(played(player).map((game) => gained(game, player) * points[game.north === player ? game.south : game.north])),
    -sum(played(player).map((game) => game.stones[game.north === player ? "north" : "south"])),
    lot.indexOf(player),
  ];
  const ranks = Object.fromEntries(division.map((player) => [player, rank(player)]));
  const ranked = division.filter((player) => !away.has(player)).sort((one, other) => {
    const at = ranks[one].findIndex((value, index) => value !== ranks[other][index]);
    return ranks[one][at] - ranks[other][at];
  });
  return { ranked, away: division.filter((player) => away.has(player)) };
}

/** Everybody's order for the season that follows: two up, two down. */
async function orderAfter(events) {
  const seed = await seedOf(events);
  const count = events.find((event) => event.type === "started")?.data.divisions.length ?? 0;
  const places = [];
  for (let number = 1; number <= count; number += 1) {
    const { ranked, away } = await table(events, seed, number);
    const people = ranked.filter((player) => !isBot(player));
    const up = number > 1 ? people.slice(0, MOVES) : [];
    const last = number < count ? people.slice(-MOVES).filter((player) => !up.includes(player)) : [];
    const down = [...last, ...away];
    for (const [place, player] of [...ranked, ...away].entries()) {
      const change = down.includes(player) - up.includes(player);
      if (!isBot(player)) places.push([number + change, -change, place, player]);
    }
  }
  places.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return places.map((each) => each[3]);
}

/** The order after the season before, whose log must be sound, and over. */
async function orderBefore(events, id) {
  let isSound = events.at(-1).type === "ended" && events[0].data.id === id;
  try {
    for await (const found of verify(events)) void found;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    isSound = false;
  }
  if (!isSound) throw new Broken(null, _("The log of the season before is not sound, or that season was not over."));
  return orderAfter(events);
}

function* removedSaid(events) {
  const count = events.filter(({ type, data }) => type === "result" && data.reason === "removed").length;
  if (count) yield _("Games that the operator removed, which count for nobody: %(count)s.", { count });
}

async function* verifyLadder(events, ladder) {
  const [{ private: kept }] = events;
  if (kept === null) throw new Broken(1, _("The secret of a ladder is public."));
  yield _("The secret fits the seal, and every event’s salt follows from it.");
  yield* cardsSaid(events);
  const [challenges, results] = ["challenged", "result"].map((type) => events.filter((event) => event.type === type).length);
  yield _("Each challenge was allowed: %(challenges)s. Who stands where follows from the results: %(results)s.", { challenges, results });
  yield* removedSaid(events);
  if (ladder.order.length) yield _("Players who stand on it: %(count)s.", { count: ladder.order.length });
}

/** Checks a log, and yields a sentence for each thing that was found right. Throws `Broken`.
 *
 * Without `logOf`, which reads the log of the season before, the order by that one is taken as it is. */
export async function* verify(events, logOf = null) {
  checkForm(events);
  await checkChain(events);
  const walk = checkOrder(events);
  const started = events.find((event) => event.type === "started");
  // One secret: the seal, each salt, and the start must tell it, and the draw below follows from it.
  const secret = events[0].private?.secret ?? started?.data.secret;
  if (secret !== undefined) await checkSalts(events, secret);
  yield _("%(count)s events, each sealed to the one before.", { count: events.length });
  if (isLadder(events)) {
    yield* verifyLadder(events, walk);
    return;
  }
  yield* cardsSaid(events);
  if (!started) {
    yield _("Draw and tables can be checked once the season has started.");
    return;
  }
  yield _("The secret fits the seal, and every event’s salt follows from it.");
  const { follows } = events[0].data;
  const seed = await seedOf(events);
  let last = [];
  if (follows !== null) {
    last = logOf === null
      ? started.data.divisions.flat().filter((player) => !isBot(player))
      : await orderBefore(await logOf(follows), follows);
  }
  if (!same(await drawn(events, seed, last), started.data.divisions)) {
    throw new Broken(started.seq, _("The divisions are not those of the draw."));
  }
  for (const { seq, data } of events.filter((event) => event.type === "paired")) {
    const found = data.games.map((game) => [game.leg, game.north, game.south]);
    if (!same(found, pairs(started.data.divisions[data.division - 1]))) {
      throw new Broken(seq, _("The games are not those of all pairs."));
    }
  }
  yield _("The divisions are those of the draw, and everybody plays everybody twice.");
  yield* removedSaid(events);
  const ended = events.find((event) => event.type === "ended");
  if (!ended) return;
  const tables = [];
  for (const index of started.data.divisions.keys()) {
    const { ranked, away } = await table(events, seed, index + 1);
    tables.push([...ranked, ...away]);
  }
  if (!same(tables, ended.data.tables)) throw new Broken(ended.seq, _("A table does not follow from the results."));
  yield _("The tables follow from the results, and with them who goes up and down.");
}

async function show(section) {
  const place = section.querySelector(".checks");
  place.replaceChildren();
  const put = (mark, text) => {
    const line = document.createElement("p");
    line.textContent = `${mark} ${text}`;
    place.append(line);
  };
  const logOf = (season) => readLog(section.dataset.log.replace(section.dataset.season, season));
  try {
    for await (const text of verify(await logOf(section.dataset.season), logOf)) put("✓", text);
  } catch (error) {
    const where = error.seq ? `${_("Event %(number)s", { number: error.seq })}: ` : "";
    put("✗", error instanceof Broken ? where + error.message : _("This could not be checked. %(error)s", { error: error.message }));
  }
}

globalThis.document?.addEventListener("click", (event) => {
  const section = event.target.closest("[data-verify]")?.closest("section");
  if (section) show(section);
});
