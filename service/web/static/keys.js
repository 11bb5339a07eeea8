// The game by keyboard. The hand, the Stones and the log are one stop each for Tab, with arrows within and
// between them. Keys of one letter can be switched off (WCAG 2.1.4); `?` lists them all.

import { _ } from "./words.js";

const KEPT = "scottenbury.keys";
const STONES = [".judge > summary", "#game .press.target", "#game .press.place"]; // from above to below
const ROWS = [...STONES, ".hand button:enabled"];

const game = () => document.getElementById("game");
const LOG = ".story a";
const STOPS = [...ROWS, LOG];
const row = (selector) => [...document.querySelectorAll(selector)];
const stoneOf = (control) => control.closest("[data-stone]")?.dataset.stone;
const isPressed = (control) => control.getAttribute("aria-pressed") === "true" || control.closest(".story [aria-current]");

/** Whether keys of one letter act. */
export function areOn() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

export function switchOn(on) {
  try {
    if (on) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "off");
  } catch {
    // Without storage they stay on.
  }
}

/** Let Tab stop once in each row: where the focus is, else at what is chosen, else at the first. */
function rove() {
  for (const controls of STOPS.map(row)) {
    const stop = controls.find((control) => control === document.activeElement) ?? controls.find(isPressed) ?? controls[0];
    for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
  }
}

/** The control beside this one in its row, or of the row above or below, at the same Stone; at the
 * edge itself, so that no arrow scrolls the page. */
function beside(here, key) {
  const rows = ROWS.map(row).filter((controls) => controls.length);
  const at = rows.findIndex((controls) => controls.includes(here));
  if (at < 0) return null;
  const way = ["ArrowLeft", "ArrowUp"].includes(key) ? -1 : 1;
  if (["Home", "End"].includes(key)) return rows[at].at(key === "Home" ? 0 : -1);
  if (["ArrowLeft", "ArrowRight"].includes(key)) return rows[at].at((rows[at].indexOf(here) + way) % rows[at].length);
  const next = rows[at + way];
  return next?.find((control) => stoneOf(here) && stoneOf(control) === stoneOf(here)) ?? next?.find(({ tabIndex }) => tabIndex === 0) ?? here;
}

/** The line of the log above or below this one. */
function line(here, key) {
  const lines = row(LOG);
  const at = lines.indexOf(here);
  return at >= 0 && lines[at + { ArrowUp: -1, ArrowDown: 1 }[key]];
}

/** In one's own turn the way along the hand begins there, wherever nothing has the focus that arrows move. */
const toHand = (key, here) => /Left|Right/.test(key) && !here.matches("input") && row(".dock .hand .press:enabled").find(({ tabIndex }) => tabIndex === 0);

/** Put the focus there, and scroll no further than to see it, of a Stone all that lies there. */
const show = (control) => (control.focus({ preventScroll: true }), (control.closest(".column") ?? control).scrollIntoView({ block: "nearest" }));

/** Press with the focus there, which goes on from it to what comes next (turn.js). */
const press = (control) => (control ? (show(control), control.click(), true) : false);
const find = (selector) => game().querySelector(selector);

function atStone(number) {
  const stone = `[data-stone="${number}"]`;
  return press(find(`${stone} .press.place`)) || press(find(`${stone} .judge > summary`)) || read(find(`${stone} h3`));
}

/** A Stone of which there is nothing to ask is read aloud. */
function read(heading) {
  heading.tabIndex = -1;
  show(heading);
  return true;
}

const answer = (detail) => document.dispatchEvent(new CustomEvent("game:answered", { detail }));

/** What is said of a Stone is closed before anything is taken back. */
function undo() {
  const open = find(".judge[open]");
  if (open?.contains(document.activeElement)) show(open.firstElementChild);
  if (open) open.removeAttribute("open");
  return Boolean(open) || press(find(".back button"));
}

const help = () => import("./keys_help.js").then(({ show }) => show());

/** What a key of one letter does; whether it did anything. */
function byLetter(key) {
  if (/^[1-9]$/.test(key)) return atStone(key);
  if (key === "?") return Boolean(help());
  if (key === "u") return undo();
  return key === "c" && (press(find(".offer")) || answer(_("Nothing to claim yet.")));
}

function keyed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (target.closest("input:not([type=radio], [type=range]), textarea, select, [contenteditable]")) return;
  const control = target.closest("a, button, summary");
  const isIn = game().contains(target);
  if (event.repeat && isIn && control && ["Enter", " "].includes(key)) return event.preventDefault();
  const next = /^(Arrow|Home|End)/.test(key) && (isIn ? control && beside(control, key) : control ? line(control, key) : toHand(key, target));
  next?.focus?.();
  const is = next || (key === "Escape" && (undo() || press(document.querySelector(".to-now a")))) || (key === "Enter" && !control && !target.matches("input") && !event.repeat && press(find(".dock .send button")));
  if (is || (!event.repeat && areOn() && byLetter(key.toLowerCase()))) event.preventDefault();
}

/** The way to the hand leads to the card where Tab stops. */
function skipped(event) {
  const card = event.target.closest(".skip[href='#dock']") && row(ROWS.at(-1)).find(({ tabIndex }) => tabIndex === 0);
  if (!card) return;
  event.preventDefault();
  show(card);
}

document.addEventListener("click", skipped);
document.addEventListener("keydown", keyed);
document.addEventListener("focusin", ({ target }) => {
  if (STOPS.some((selector) => target.matches(selector))) rove();
  if (target.matches(".place")) target.ariaDescription = target.parentNode.querySelector("h3").textContent.replace(/.*?\. /, ""); // what lies there
});
for (const name of ["game:shown", "game:moved"]) document.addEventListener(name, rove);
document.addEventListener("click", ({ target }) => target.closest("#keys") && help());
rove();
