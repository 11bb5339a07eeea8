// Quiet sounds. Off until they are switched on; this device remembers how loud they
// may be, and which there are (sounds_choice.js). What they sound like: instruments.js.

import { leads } from "./news.js";
import { _ } from "./words.js";

const KEPT = "scottenbury.sounds";
const MINUTE = 60000; // milliseconds
const LAST = 60 * MINUTE; // of one's own turn: one is reminded once
const AWAY = 5 * MINUTE; // whoever comes back earlier has hardly been away
const APART = 400; // milliseconds between one's own turn and its answer
const BEAT = 200; // and between the knock of a card and what follows from it

/** What is chosen: whether they are `on`, the `volume` from 0 to 10, and the `events` that sound. */
export const chosen = { on: false, volume: 5, events: ["turn", "stone", "message", "time", "end"], ...remembered() };
let context = null; // made by the first sound
let instruments = null; // fetched with it, once, so that sounds keep their order

/** Versions before held the word alone. */
function remembered() {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === "on" ? { on: true } : JSON.parse(kept);
  } catch {
    return null;
  }
}

export function remember() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show();
}

/** Browsers let a page sound once somebody has pressed something on it. */
const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;

function wake() {
  if (!isTouched()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** Let the tune `name` sound once and now: one that `isTried` in the place of those before. */
export async function sound(name, isTried = false) {
  wake();
  if (context?.state !== "running" || !chosen.volume) return;
  const { perform } = await (instruments ??= import("./instruments.js"));
  perform(context, name, chosen.volume / 10, isTried);
}

const isChosen = (event) => chosen.on && chosen.events.includes(event);

/** Let `name` sound if its event is chosen. */
export function play(event, name = event) {
  if (isChosen(event)) sound(name);
}

const found = (selector) => document.querySelector(selector);
const count = (selector) => document.querySelectorAll(selector).length;

/** A turn has come: in this game or another, and in one tab alone. */
export const playTurn = () => leads() && play("turn");

/** What the page shows of what sounds. */
const heard = () => ({
  claimed: count(".below .flags .flag"),
  taken: count(".above .flags .flag"),
  cards: count(".board [data-card], .discard li"),
  mine: Boolean(found(".now.mine")) && !found(".finale"), // the turn that ends the game is over
  over: Boolean(found(".match.ended")),
});

/** What is laid on the board and can still be taken back. */
const unsent = () => ({ cards: count(".side .unsent"), claims: count(".claimed-unsent") });

let before = heard();
let laid = unsent();
let isHere = Boolean(found("#presence.here"));
let seen = found("#presence:is(.live, .recent)") ? Date.now() : 0; // when the other player was here
let isAmple = false; // whether more than the last hour was left

function follow() {
  const [old, now] = [before, heard()];
  const laid = now.cards - old.cards;
  before = now;
  if (!old.mine || !(now.mine ? laid : laid > 1)) return step(old, now);
  const own = { ...old, mine: false, claimed: now.claimed, cards: old.cards + 1 }; // the page holds the answer too
  playResult(old, own);
  setTimeout(step, APART, own, now);
}

/** One turn sounds. */
function step(old, now) {
  const lies = !old.mine && now.cards > old.cards;
  if (lies) afterFlight(() => play("card", "answered"));
  const beat = lies && isChosen("card") && !shows(".unclaimed") ? BEAT : 0;
  afterClaim(() => (beat ? setTimeout(playResult, beat, old, now) : playResult(old, now)));
}

document.addEventListener("game:played", follow);
document.addEventListener("game:moved", () => {
  follow();
  watchTime();
  const question = found("#ask-sounds");
  if (question && remembered()) question.remove(); // after a press: nothing moves by itself
  else if (question?.matches("[data-seen]") && before.mine) remember(); // no answer for a whole turn is one
  ask();
});

const once = (event, act) => document.addEventListener(event, act, { once: true });
const shows = (mark) => !document.hidden && found(`.board ${mark}`); // where nobody looks nothing moves

/** Do what follows from a card once it lies there. */
export const afterFlight = (act) => (shows(".in-flight") ? once("game:landed", act) : act());

/** And from a claim once the Stone turns. */
export const afterClaim = (act) => (shows(".unclaimed") ? once("game:claimed", act) : afterFlight(act));

/** The tune of the end that the page shows. */
export const endTune = () => (found(".now.won") ? "won" : found(".now.lost") ? "lost" : "drawn");

/** What a card has led to. */
function playResult(old, now) {
  for (const name of ["claimed", "taken"]) if (now[name] > old[name]) play("stone", name);
  if (now.over && !old.over) play("end", endTune());
  else if (now.mine !== old.mine) now.mine ? playTurn() : play("sent");
}

document.addEventListener("game:addressed", () => play("message"));

function watchTime() {
  const until = found(".now.mine") && found("#deadline:not(.paused) time")?.dateTime;
  const left = until ? Date.parse(until) - Date.now() : 0;
  if (isAmple && left > 0 && left <= LAST) play("time");
  isAmple = left > LAST;
}

/** Once, in a first game against a person, while it is not one's turn. */
function ask() {
  if (found("#sounds[data-asks]") && !before.mine && !remembered()) import("./sounds_ask.js").then((question) => question.ask());
}

/** Whoever comes with a turn, or after the last, is not announced. */
function watchPresence({ type }) {
  const now = Boolean(found("#presence.here"));
  if (type === "game:beside" && !before.over && now && !isHere && Date.now() - seen > AWAY) play("arrival");
  if (now || isHere) seen = Date.now();
  isHere = now;
}

/** The button is part of the board, which is put anew after each change. */
function show() {
  const button = found("#sounds");
  button?.setAttribute("aria-label", chosen.on ? _("Sounds: on") : _("Sounds: off"));
  button?.classList.toggle("on", chosen.on);
}

document.addEventListener("game:shown", (event) => {
  const now = unsent();
  if (now.cards > laid.cards) afterFlight(() => play("card", "laid"));
  if (now.claims > laid.claims) play("stone", "laid");
  laid = now;
  show();
  watchPresence(event);
});
document.addEventListener("game:beside", watchPresence);
document.addEventListener("click", ({ target }) => {
  if (!target.closest("#sounds")) return;
  wake();
  import("./sounds_choice.js").then((choice) => choice.show());
});
for (const gesture of ["pointerdown", "pointerup", "keydown"]) addEventListener(gesture, () => chosen.on && wake());
setInterval(watchTime, MINUTE);
watchTime();
show();
ask();
