// The form of a season's log: what each line may hold. `service/seasons/events.py` checks the same. What
// may follow what is for `season.js` and `ladder.js`, which take the form for granted.

import { Broken } from "./verify.js";
import { _ } from "./words.js";

const matching = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const whole = (least, most) => (value) => Number.isInteger(value) && least <= value && value <= most;
const oneOf = (...choices) => (value) => choices.includes(value);
const orNull = (inner) => (value) => value === null || inner(value);
const listOf = (inner) => (value) => Array.isArray(value) && value.every(inner);
const flag = (value) => typeof value === "boolean";
const nothing = (value) => value === null;

function objectOf(members, optional = {}) {
  const checks = { ...members, ...optional };
  return (value) => value !== null && typeof value === "object" && !Array.isArray(value)
    && Object.keys(members).every((name) => Object.hasOwn(value, name))
    && Object.entries(value).every(([name, item]) => Object.hasOwn(checks, name) && checks[name](item));
}

const HEX = matching(/^[0-9a-f]{64}$/);
const ID = matching(/^[a-z0-9]+$/);
const WORD = matching(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const TEXT = matching(/^[^\ud800-\udfff]+$/u);
const NUMBER = whole(0, Number.MAX_SAFE_INTEGER);
const PLAYERS = listOf(listOf(ID)); // of each division
const SECRET = orNull(objectOf({ secret: HEX }));

/** Whether this is a real moment of the years 2000 to 2199. */
function moment(value) {
  if (!matching(/^2[01]\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value.replace("Z", ".000Z");
}

const DAYS = whole(1, 366);
const OPTIONS = { weekends_off: flag, sleeping_hours: flag, vacations: flag, time_out: oneOf("auto", "claim") };
const CLOCKS = [
  objectOf({ days_per_move: DAYS }, OPTIONS),
  objectOf({ bank_days: DAYS }, { increment_hours: whole(1, 24 * 366), cap_days: DAYS, ...OPTIONS }),
  objectOf({ until: moment }, OPTIONS),
];

const DATA = {
  announced: objectOf(
    {
      id: ID,
      name: TEXT,
      edition: WORD,
      tactics: flag,
      expert: flag,
      clock: (value) => CLOCKS.some((clock) => clock(value)),
      division: NUMBER,
      starts_at: orNull(moment),
      players: orNull(NUMBER),
      bots: listOf(matching(/^[a-z]+$/)),
      follows: orNull(ID),
      commitment: HEX,
      by: orNull(ID),
    },
    { format: oneOf("league", "ladder") }, // leagues of older versions do not say that they are one
  ),
  sealed: objectOf({ commitment: HEX }, { next_cards: orNull(HEX) }),
  entered: objectOf({ player: ID, salt: TEXT }),
  withdrawn: objectOf({ player: ID, reason: WORD }),
  started: objectOf({ secret: HEX, divisions: PLAYERS }),
  paired: objectOf({
    division: NUMBER,
    games: listOf(objectOf({ game: ID, round: whole(1, 1), leg: whole(1, 2), north: ID, south: ID })),
  }),
  challenged: objectOf({ game: ID, number: NUMBER, challenger: ID, challenged: ID, next_cards: HEX }),
  result: objectOf({
    game: ID, head: HEX, winner: orNull(ID), reason: WORD, stones: objectOf({ north: whole(0, 9), south: whole(0, 9) }),
  }),
  ended: objectOf({ tables: PLAYERS }, { by_operator: flag }),
};

function form(type) {
  const members = {
    seq: NUMBER,
    v: whole(1, 1),
    at: moment,
    type: oneOf(type),
    by: nothing,
    via: oneOf("api", "web", "mail", "order", "bot", "clock", "operator"),
    data: DATA[type],
    private: ["announced", "sealed"].includes(type) ? SECRET : nothing,
    salt: orNull(HEX),
    hash: HEX,
  };
  return objectOf(members, type === "entered" ? { name: orNull(TEXT) } : {});
}

const FORMS = Object.fromEntries(Object.keys(DATA).map((type) => [type, form(type)]));

/** The lines of a log, as they stand in its text. Throws `Broken`. */
export function readLines(text) {
  return text.split("\n").filter((line) => line.trim()).map((line, index) => {
    // Numbers are whole ones: JSON.parse would take 1.0 for 1, and its hash would be another's.
    const hasFraction = /\d[.eE]/.test(line.replace(/"(?:\\.|[^"\\])*"/g, '""'));
    try {
      if (!hasFraction) return JSON.parse(line);
    } catch {
      // as below
    }
    throw new Broken(index + 1, _("This line is not an event of a season."));
  });
}

/** Throws `Broken` unless each of these lines has the form of an event. */
export function checkForm(lines) {
  if (lines.length === 0) throw new Broken(null, _("The log holds no events."));
  for (const [index, line] of lines.entries()) {
    const isEvent = Object.hasOwn(FORMS, line?.type) && FORMS[line.type](line)
      && (line.salt === null) === (line.type === "announced" && line.private === null);
    if (!isEvent) throw new Broken(index + 1, _("This line is not an event of a season."));
  }
}
