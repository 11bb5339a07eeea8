// Plays a whole game on the front page, from the still that the server has drawn, again and again.
// It rests while nobody sees it, and where motion is not wanted, until it is asked for.

import { _ } from "./words.js";

const BEAT = 1300; // milliseconds from one card to the next
const REST = 6; // beats for which the end is shown
const FALL = { duration: 320, easing: "cubic-bezier(.2, .7, .2, 1)" };
const SVG = "http://www.w3.org/2000/svg";

const moor = document.querySelector("[data-beats]");
const button = document.querySelector("[data-pause]");
const beats = moor.dataset.beats.split(" ").map((beat) => beat.split(":"));
const still = matchMedia("(prefers-reduced-motion: reduce)");

let at = Number(moor.dataset.still);
let rest = 0;
let seen = true; // whether the board is in sight
let runs = !still.matches;

function drawing(kind, ...names) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", kind);
  for (const name of names) {
    drawn.append(document.createElementNS(SVG, "use"));
    drawn.lastChild.setAttribute("href", `${moor.dataset.signs}#${name}`);
  }
  return drawn;
}

function play([side, stone, code]) {
  const column = moor.querySelector(`[data-stone="${stone}"]`);
  const far = side === "above";
  if (code) {
    const card = drawing(`card ${code[0]}`, `card-${code[0]}`, `c${code[1]}`);
    column.querySelector(`.${side}`)[far ? "prepend" : "append"](card);
    const from = `translateY(${far ? -45 : 45}%)`;
    if (!still.matches) card.animate([{ transform: from, opacity: 0 }, { opacity: 1 }], FALL);
  } else {
    column.classList.add(`owned-${side}`);
    column.querySelector(".ground").prepend(drawing("flag", `flag-${side}`));
  }
}

function beginAgain() {
  for (const drawn of moor.querySelectorAll(".card, .flag")) drawn.remove();
  for (const column of moor.querySelectorAll(".column")) column.classList.remove("owned-above", "owned-below");
  at = rest = 0;
}

function next() {
  if (!runs || !seen || document.hidden) return;
  if (at < beats.length) play(beats[at++]);
  else if (++rest > REST) beginAgain();
}

function label() {
  button.textContent = runs ? _("Pause") : _("Watch");
}

button.addEventListener("click", () => {
  runs = !runs;
  label();
});
still.addEventListener("change", () => {
  runs = !still.matches;
  label();
});
new IntersectionObserver(([entry]) => (seen = entry.isIntersecting)).observe(moor);
label();
button.disabled = false;
setInterval(next, BEAT);
