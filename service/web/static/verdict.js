// Says in one sentence what the check of a record shows, then what was checked. Hashes are folded away.

const SHOWN = {
  Chain: "Each event is chained to the one before it.",
  Secret: "The server’s secret fits the seal in the first event.",
  Shuffle: "The decks follow from that secret and both players’ numbers.",
  "First player": "The right player began.",
  Cards: "Every card came from the top of its deck, and from a hand that held it.",
  "Your salt": "Your number is in the shuffle, and the seal is the one that this browser saw before the game.",
};
const JUST_NOW = "checked just now in your browser";
const SEEN = "It agrees with all that this browser saw while the game went on.";
const RECORD_ALONE = "That it was played so, a record alone cannot show.";

/** What the checks show, in a sentence or two: never more than docs/verify.md says is proved. */
export function verdict(checks) {
  const failed = checks.find(({ state }) => state === "failed");
  if (failed) {
    return `This record is not in order${failed.seq === null ? "" : ` at event ${failed.seq}`}. ${failed.text}`;
  }
  const passed = (name) => checks.find((check) => check.name === name && check.state === "passed");
  if (!passed("Secret")) return `Nothing is wrong so far: ${JUST_NOW}. The shuffle can be checked once the game is over.`;
  if (!passed("Shuffle")) return `Nothing is wrong: ${JUST_NOW}. No cards were dealt.`;
  const played = passed("Moves") ? SEEN : RECORD_ALONE;
  if (passed("Your salt")) {
    return `This shuffle was fixed before the first card was dealt: ${JUST_NOW}. ${played}`;
  }
  return `Every card follows from one fixed shuffle: ${JUST_NOW}. ${played}`;
}

function element(tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
}

function line({ name, state, text }) {
  const item = element("li", "", `check ${state}`);
  const word = { passed: "Passed", failed: "Failed", later: "Not yet" }[state];
  item.append(element("span", `${word}: `, "hidden"), state === "passed" ? SHOWN[name] ?? text : `${name}: ${text}`);
  return item;
}

function hashes(events, checks) {
  const first = events[0];
  const joined = events.find(({ type }) => type === "player_joined");
  const facts = {
    "Seal of the shuffle": first.data.commitment,
    "The server’s secret": first.private?.secret,
    "Number of who made the game": first.data.salt,
    "Number of who joined": joined?.data.salt,
    "Hash of the last event": events.at(-1).hash,
  };
  const details = element("details");
  const list = element("dl", "", "hashes");
  for (const [name, value] of Object.entries(facts)) {
    if (value) list.append(element("dt", name), element("dd", value));
  }
  for (const { name, text } of checks) list.append(element("dt", name), element("dd", text));
  details.append(element("summary", "Hashes and numbers"), list);
  return details;
}

/** Checks the record `text` and shows in `place` what that proves. Throws for what is no record. */
export async function showVerdict(place, text, mine, heads) {
  const { readRecord, verify } = await import("./verify.js");
  const events = readRecord(text);
  const checks = [];
  for await (const check of verify(events, mine, heads)) checks.push(check);
  const list = element("ul", "", "plain");
  list.append(...checks.map(line));
  place.replaceChildren(element("p", verdict(checks), "verdict"), list, hashes(events, checks));
}
