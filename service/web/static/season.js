// Checks the log of a season in the browser: chain, secret, draw, pairs, and every table. Nothing
// here is taken from the server but the log itself. docs/seasons.md describes each step.

import { Broken, HASHED, canonical, checkSalts, hex, sha256, shuffled, unhex, utf8 } from "./verify.js";
import { _ } from "./words.js";

const SMALLEST = 4;
const LARGEST = 8;
const MOVES = 2;
const isBot = (player) => /^bot[a-z]+2+$/.test(player);

async function readLog(url) {
  const answer = await fetch(url, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

async function checkChain(events) {
  let previous = "0".repeat(64);
  for (const [index, event] of events.entries()) {
    const seq = index + 1;
    const body = canonical(Object.fromEntries(HASHED.map((key) => [key, event[key]])));
    const found = hex(await sha256(utf8.encode(`${previous}\n${event.salt}\n${body}`)));
    const hidden = seq === 1 && event.salt === null; // its secret, until the season starts
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
  const least = Math.max(roundHalfEven(order.length / best), Math.ceil(order.length / LARGEST));
  const count = Math.max(1, Math.min(least, Math.floor(order.length / SMALLEST)));
  const size = Math.floor(order.length / count);
  const divisions = [];
  for (let number = 0, at = 0; number < count; number += 1) {
    const people = order.slice(at, at + size + (number < order.length % count ? 1 : 0));
    at += people.length;
    const filling = bots.slice(0, Math.max(0, best - people.length)).map((name) => `bot${name}`.padEnd(16, "2"));
    divisions.push([...people, ...filling]);
  }
  return divisions;
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

/** Checks a log, and yields a sentence for each thing that was found right. Throws `Broken`. */
export async function* verify(events, logOf) {
  await checkChain(events);
  yield _("%(count)s events, each sealed to the one before.", { count: events.length });
  const started = events.find((event) => event.type === "started");
  if (!started) {
    yield _("Draw and tables can be checked once the season has started.");
    return;
  }
  await checkSalts(events, started.data.secret);
  yield _("The secret fits the seal, and every event’s salt follows from it.");
  const { follows } = events[0].data;
  const seed = await seedOf(events);
  const last = follows === null ? [] : await orderAfter(await logOf(follows));
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
  const ended = events.find((event) => event.type === "ended");
  if (!ended) return;
  for (const [index, players] of ended.data.tables.entries()) {
    const { ranked, away } = await table(events, seed, index + 1);
    if (!same([...ranked, ...away], players)) throw new Broken(ended.seq, _("A table does not follow from the results."));
  }
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
