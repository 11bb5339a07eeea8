// Says in plain words what the check of a record shows. What was checked is folded away, with all hashes.

import { joinOf, readRecord, verify, without } from "./verify.js";
import { _ } from "./words.js";

/** The checks in a player's words. */
const NAMES = {
  Chain: _("Chain"),
  Secret: _("Secret"),
  Shuffle: _("Shuffle"),
  "First player": _("First player"),
  Cards: _("Cards"),
  "Your salt": _("Your salt"),
  Moves: _("Moves"),
};
const STATES = { passed: _("Passed"), failed: _("Failed"), later: _("Not yet") };

/** When the order of the cards was fixed, as far as this browser can tell. `since` is the turn after which
 * it first saw the log, {turn, round}, or null: who comes later takes the seal from whoever sent the record. */
function fixed(since) {
  if (since && since.round < 2 && !since.turn) return [_("The order was fixed before the first turn: this browser saw its seal then.")];
  const known = !since
    ? _("The seal fits the cards.")
    : since.round < 2
      ? _("The order was fixed by turn %(turn)s, when this browser first saw its seal.", since)
      : _("The order was fixed by turn %(turn)s of round %(round)s, when this browser first saw its seal.", since);
  return [known, _("Only a browser that saw the seal at that time, or a mail from then, shows whether it was made before the game.")];
}

/** What the checks show, in sentences, of which the first is the verdict: never more than docs/verify.md
 * says is proved. `nobody`: neither player gave a number. `since`: as above. */
export function verdict(checks, nobody = false, since = null) {
  const failed = checks.find(({ state }) => state === "failed");
  if (failed) {
    const { seq, text } = failed;
    return seq === null
      ? [_("This record is not in order."), text]
      : [_("This record is not in order at event %(seq)s.", { seq }), text];
  }
  const passed = (name) => checks.find((check) => check.name === name && check.state === "passed");
  const moves = passed("Moves") && _("The moves agree with all that this browser saw during the game.");
  if (!passed("Secret")) return [_("Nothing is wrong so far."), moves, _("Whether the cards came as they were shuffled can be checked once the game is over.")];
  if (!passed("Shuffle")) return [_("Nothing is wrong."), _("No cards were dealt.")];
  const shuffle = passed("Your salt")
    ? [_("The order of the cards was fixed before the first was dealt, with a number of your browser’s in it, and no card was swapped.")]
    : [
        _("All cards came in the order of one shuffle: none was swapped."),
        nobody && _("Neither player gave a number, so the server alone chose that order."),
        ...fixed(since),
      ];
  return [_("Nothing is wrong."), ...shuffle, moves || _("Whether it was played like this, a record alone cannot show.")];
}

function element(tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
}

function line({ name, state, text }) {
  const item = element("li", "", `check ${state}`);
  item.append(element("span", `${STATES[state]}: `, "hidden"), state === "passed" ? text : `${NAMES[name] ?? name}: ${text}`);
  return item;
}

/** The turn and round that the events end in, as the pages count: turns anew in each round. */
function endOf(events) {
  const round = events.slice(events.findLastIndex(({ type }) => type === "round_started") + 1);
  return {
    turn: round.filter(({ type }) => ["card_played", "ruse_played", "passed"].includes(type)).length,
    round: events.filter(({ type }) => type === "round_started").length,
  };
}

/** Where the log first had one of these hashes, as `endOf` says; null where it never did. */
function firstWith(events, seen) {
  const at = events.findIndex(({ hash }) => seen.includes(hash));
  return at < 0 ? null : endOf(events.slice(0, at + 1));
}

/** What is typed may hold the mail's bar and white space too. */
const hashIn = (typed) => typed.replace(/[\s|>]/g, "").toLowerCase();
const isWhole = (hash) => /^[0-9a-f]{64}$/.test(hash);

/** Whether a whole hash is typed that the log never had. */
const isForeign = (events, typed) => isWhole(hashIn(typed)) && !firstWith(events, [hashIn(typed)]);

/** What a hash from a mail shows. */
export function compared(events, typed) {
  const hash = hashIn(typed);
  if (!hash) return "";
  if (!isWhole(hash)) return _("That is not a whole hash: it has 64 digits and letters from a to f.");
  const when = firstWith(events, [hash]);
  if (!when) return _("The log never had this hash. Is the mail about this game? Then something is wrong: the log was changed since.");
  if (when.round < 2 && !when.turn) return _("The log had this hash before the first turn. The seal has not changed since.");
  return when.round < 2
    ? _("The log had this hash after turn %(turn)s. Neither the seal nor anything up to there has changed since.", when)
    : _("The log had this hash after turn %(turn)s of round %(round)s. Neither the seal nor anything up to there has changed since.", when);
}

/** The field for a hash; `judge` hears of each that is typed whether it is foreign to the log. */
function hashField(events, judge) {
  const label = element("label", _("A hash from one of your mails"));
  const input = element("input");
  input.autocomplete = "off";
  input.spellcheck = false;
  const answer = element("p");
  input.addEventListener("input", () => {
    answer.textContent = compared(events, input.value);
    judge(isForeign(events, input.value));
  });
  label.append(input);
  return [label, answer];
}

function hashes(events) {
  const first = events[0];
  const number = (salt) => (salt === first.data.commitment ? _("none: the seal stands in its place") : salt);
  const facts = {
    [_("Seal of the shuffle")]: first.data.commitment,
    [_("The server’s secret")]: first.private?.secret,
    [_("Number of who made the game")]: number(first.data.salt),
    [_("Number of who joined")]: number(joinOf(events)?.data.salt),
    [_("Hash of the last event")]: events.at(-1).hash,
  };
  const list = element("dl", "", "hashes");
  for (const [name, value] of Object.entries(facts)) {
    if (value) list.append(element("dt", name), element("dd", value));
  }
  return list;
}

/** Checks the record `text` and shows in `place` what that proves; gives the turn that it ends in. Throws
 * for what is no record. */
export async function showVerdict(place, text, mine, heads) {
  const events = readRecord(text);
  const checks = [];
  for await (const check of verify(events, mine, heads)) checks.push(check);
  const list = element("ul", "", "plain");
  const later = checks.filter(({ state }) => state === "later");
  list.append(...checks.filter((check) => !later.includes(check)).map(line));
  if (later.length) list.append(line({ ...later[0], name: later.map(({ name }) => NAMES[name]).join(", ") }));
  list.append(element("li", _("Not checked here: the claims and all other decisions. The server decided them by the rules as they were played; the replay of the record and “scottenbury verify” decide each one again."), "note"));
  const details = element("details");
  const isBroken = checks.some(({ state }) => state === "failed");
  details.open = isBroken;
  details.append(element("summary", _("What was checked")), list, hashes(events));
  const since = firstWith(events, heads);
  const [first, ...more] = verdict(checks, without(events) === "both", since).filter(Boolean);
  const [says, means] = [element("p", first, "verdict"), element("p", more.join(" "))];
  const judge = (foreign) => {
    says.textContent = foreign ? _("Something is wrong, or that hash is of another game.") : first;
    means.hidden = foreign;
  };
  const { practice, nameless } = events[0].data.terms ?? {}; // their logs were sealed anew
  if (!(practice || nameless || isBroken)) details.append(...hashField(events, judge));
  place.replaceChildren(says, means, details);
  return endOf(events).turn;
}
