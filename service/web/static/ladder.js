// Which events may follow in the log of a ladder, and who stands where. `service/seasons/ladder.py`
// and `rules.py` say the same. `season_form.js` has checked the form of each.

const REACH = 3;
const SHARE = 30;
const AT_ONCE = 2;
const STONES = 9;
export const DAY = 24 * 3600 * 1000;
const REMATCH = 7 * DAY;
const AWAY = 14 * DAY;
export const LONGEST_WAIT = 90 * DAY;
const PAUSES = { left: 7 * DAY, "time-outs": 14 * DAY };
const REASONS = ["left", "gone", "time-outs", "away"];
export const TIME_OUTS = 2;
export const NOBODYS = "0".repeat(64);

/** Whether the result of a game between these two can be this; `heads` are those of other results. */
export function isResult({ head, winner, reason, stones }, players, heads) {
  const count = stones.north + stones.south;
  if (![null, ...players].includes(winner) || count > STONES) return false;
  if (reason === "removed") return head === NOBODYS && winner === null && count === 0;
  return !heads.has(head);
}

/** The rules of a ladder, which takes none of a league's. */
export const areOfLadder = ({ division, starts_at, players, bots, follows }) =>
  division === 0 && starts_at === null && players === null && bots.length === 0 && follows === null;

const pairOf = (one, other) => [one, other].sort().join(" ");

/** The state of a ladder, and which events may follow in it. */
export class Ladder {
  constructor({ at }) {
    this.at = at;
    this.order = [];
    this.running = new Map(); // of each game, its challenger and the challenged
    this.games = new Set();
    this.heads = new Set();
    this.met = new Map(); // of two players, when their last game ended
    this.signs = new Map(); // of each player, the last sign of life
    this.late = new Map(); // of each player, the time-outs since a game that was not given up
    this.left = new Map(); // of each player, why and when they left
    this.isOver = false;
  }

  /** Whether this event may come next. */
  allows({ seq, type, at, data }) {
    if (at < this.at || this.isOver) return false;
    const late = this.order.find((player) => this.isLate(player));
    if (late !== undefined && !(type === "withdrawn" && data.player === late && data.reason === "time-outs")) return false;
    const mayBeSealed = ({ next_cards: next }) => seq === 2 || (next ?? null) !== null;
    const may = { sealed: mayBeSealed, ended: this.mayEnd, entered: this.mayEnter, withdrawn: this.mayWithdraw, challenged: this.mayChallenge, result: this.mayEndGame };
    return Object.hasOwn(may, type) && may[type].call(this, data, Date.parse(at));
  }

  take({ type, at, data }) {
    this.at = at;
    const now = Date.parse(at);
    if (type === "entered") {
      this.order.push(data.player);
      this.signs.set(data.player, now);
    }
    if (type === "withdrawn") {
      this.order = this.order.filter((player) => player !== data.player);
      this.late.delete(data.player);
      this.left.set(data.player, { reason: data.reason, at: now });
    }
    if (type === "challenged") {
      this.games.add(data.game);
      this.running.set(data.game, [data.challenger, data.challenged]);
      this.signs.set(data.challenger, now);
    }
    if (type === "result") this.finish(data, now);
    if (type === "ended") this.isOver = true;
  }

  finish({ game, head, winner, reason }, now) {
    const players = this.running.get(game);
    const [challenger, challenged] = players;
    this.running.delete(game);
    this.heads.add(head);
    if (reason === "removed") return;
    this.met.set(pairOf(challenger, challenged), now);
    const loser = winner === null ? null : players.find((player) => player !== winner);
    const late = reason === "time-out" ? loser : null;
    for (const player of players) {
      if (player === late && this.order.includes(player)) this.late.set(player, (this.late.get(player) ?? 0) + 1);
      else if (player !== loser || reason !== "resignation") this.late.delete(player);
    }
    const [below, above] = players.map((player) => this.order.indexOf(player));
    if (below < 0 || above < 0) return;
    if (late === challenger) this.move(challenger, this.order.length);
    else if (above < below && late === challenged) this.move(challenged, below + 1);
    else if (above < below && loser === challenged) this.move(challenger, above);
  }

  /** Puts a player before whoever stands at this place. */
  move(player, place) {
    const rest = (players) => players.filter((other) => other !== player);
    this.order = [...rest(this.order.slice(0, place)), player, ...rest(this.order.slice(place))];
  }

  isLate(player) {
    return (this.late.get(player) ?? 0) >= TIME_OUTS;
  }

  mayEnter({ player }, now) {
    const { reason, at } = this.left.get(player) ?? { reason: null, at: 0 };
    const plays = [...this.running.values()].some((players) => players.includes(player));
    return !this.order.includes(player) && !plays && now >= at + (PAUSES[reason] ?? 0);
  }

  mayWithdraw({ player, reason }, now) {
    if (!this.order.includes(player) || !REASONS.includes(reason)) return false;
    if ((reason === "time-outs") !== this.isLate(player)) return false;
    return reason !== "away" || now >= this.signs.get(player) + AWAY;
  }

  mayChallenge({ game, number, challenger, challenged }, now) {
    if (this.games.has(game) || number !== this.games.size + 1) return false;
    const own = this.order.indexOf(challenger) + 1;
    const place = this.order.indexOf(challenged) + 1;
    if (!own || !place || place >= own || own - place > Math.max(REACH, Math.floor((own * SHARE) / 100))) return false;
    const games = [...this.running.values()];
    return !games.some((players) => players.includes(challenger) && players.includes(challenged))
      && games.filter(([one]) => one === challenger).length < AT_ONCE
      && games.filter(([, other]) => other === challenged).length < AT_ONCE
      && now >= (this.met.get(pairOf(challenger, challenged)) ?? -Infinity) + REMATCH;
  }

  /** At any time by the operator; by itself once nobody has stood on it for 90 days. */
  mayEnd({ tables, by_operator: byOperator }, now) {
    return tables.length === 0 && (byOperator || (this.order.length === 0 && now >= Date.parse(this.at) + LONGEST_WAIT));
  }

  mayEndGame(result) {
    return this.running.has(result.game) && isResult(result, this.running.get(result.game), this.heads);
  }
}
