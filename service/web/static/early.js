// A place of the board was pressed where nothing can be pressed yet: the hand, the places of the chosen
// card, or Send draw the eye, and the hint says what comes first.

import { _ } from "./words.js";

const HAND = ".hand .card-in-hand:enabled:not(.unusable)";
const NEXT = [".press.place", ".press.target", HAND, ".others .press", ".offers .press", ".send button"];
const SHOWN = 700; // milliseconds

export function point(game, announce) {
  const selector = NEXT.find((each) => game.querySelector(each));
  if (!selector) return; // it is not the reader's turn
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const seen = { outline: `3px solid ${getComputedStyle(game).color}`, outlineOffset: "1px", borderRadius: "8px" };
  for (const part of game.querySelectorAll(selector)) {
    part.animate([{ ...seen, translate: still ? "0" : "0 -8px", offset: 0.3 }, { ...seen, offset: 0.7 }], SHOWN);
  }
  if (selector !== HAND || !game.querySelector(".hand").dataset.room) return;
  const words = _("Choose a card first, then its place.");
  const hint = game.querySelector(".coach p");
  if (hint) hint.childNodes[1].data = ` ${words} `;
  game.querySelector(".prompt").textContent = words;
  game.dataset.status = words;
  announce(words);
}
