// How a game ends: the winning Stones shine one after another along the road, and the cord between them is
// drawn. Only then does the page say the result. Any press passes it.

import { glide, places, still } from "./motion.js";

const STEP = 140; // milliseconds after which the next Stone follows
const SHINE = { duration: 420, easing: "ease-in-out", fill: "backwards" };
const SHINING = { filter: "drop-shadow(0 0 10px var(--glow)) brightness(1.3)", scale: 1.15, offset: 0.4 };
const DIM = 0.4; // of what is over, until the result takes its place: nothing is ever blank
const FADE = { duration: 160, fill: "both" };
const DRAWN = { duration: STEP, pseudoElement: "::before", fill: "both" };
const QUIET = { duration: 350, easing: "cubic-bezier(.2, .7, .2, 1)" };

/** Play on the open page the end that `fresh`, its finished game, tells: its table comes first, all else stays.
 * Where no Stones have won, nothing has to be seen before the result. */
export async function play(game, fresh) {
  if (still.matches || document.hidden) return;
  const over = new AbortController();
  const passed = new Promise((pass) => {
    const press = (event) => (pass(), take(event));
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, press, { capture: true, signal: over.signal });
  });
  await Promise.race([shown(game, fresh), passed]);
  over.abort();
}

/** The key that passes the end presses nothing, but a word is written on. */
function take(event) {
  if (event.type !== "keydown" || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function shown(game, fresh) {
  const [old, table] = [game.querySelector(".table"), fresh.querySelector(".table").cloneNode(true)];
  const before = places(game);
  old.replaceWith(table);
  const won = [...table.querySelectorAll(".column")].filter((column) => getComputedStyle(column).getPropertyValue("--wins"));
  if (!won.length) return table.replaceWith(old);
  game.classList.add("finale");
  game.style = "--drawn: 0; pointer-events: none";
  fade(document.querySelectorAll(".dock > :not(.hand, .ends), .ends > *, #telling:not(:focus-within) *")); // .ends and #telling may be no boxes
  retell(fresh.ownerDocument);
  glide(before, game, true);
  document.dispatchEvent(new Event("game:played"));
  await ended(table);
  won.forEach((column, at) => shine(column, at * STEP));
  fade([...game.children].filter((part) => part !== table), won.length * STEP);
  await ended(game);
}

/** The words above say what was played, in the room they had, until the result comes in. */
function retell(page) {
  const now = document.getElementById("now");
  const line = page.createElement("p");
  line.append(...page.querySelector(".story li:nth-child(2) > a").cloneNode(true).childNodes);
  line.querySelector("small")?.remove(); // its number in the log
  now.style.minHeight = getComputedStyle(now).height;
  now.replaceChildren(line);
}

function fade(parts, delay = 0) {
  for (const part of parts) part.animate({ opacity: DIM }, { ...FADE, delay });
}

const ended = (part) => Promise.allSettled(part.getAnimations({ subtree: true }).map(({ finished }) => finished));

/** The cord that leads to the Stone is drawn before it shines. */
function shine(column, delay) {
  column.querySelector(".stone").animate([{}, SHINING, {}], { ...SHINE, delay });
  column.querySelector(".ground").animate({ backgroundSize: ["100%, 0, 100%", "100%"] }, { ...DRAWN, delay: delay - STEP / 2 });
}

/** The result comes in quietly, and what there is to do now rises, with all below it. */
export function say() {
  if (still.matches) return;
  const end = document.querySelector(".end");
  const { top } = end.getBoundingClientRect();
  const below = [...document.querySelectorAll(".end ~ *, #panels, #after")].filter((part) => part.getBoundingClientRect().top > top);
  for (const part of [...document.querySelectorAll("#now > *"), ...below]) part.animate({ opacity: [DIM, 1] }, QUIET);
  end.animate({ opacity: [DIM, 1], translate: ["0 24px", "0 0"] }, QUIET);
}
