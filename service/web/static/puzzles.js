// Remembers in this browser which puzzles were solved, and marks them in the list.

import { _ } from "./words.js";

const STORED = "scottenbury.puzzles";

function solved() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? [];
  } catch {
    return []; // without storage nothing is marked
  }
}

function remember(seed) {
  try {
    localStorage.setItem(STORED, JSON.stringify([...new Set([...solved(), seed])]));
  } catch {
    // The answer is shown all the same.
  }
}

const answer = document.querySelector("[data-solved]");
if (answer) remember(answer.dataset.solved);

for (const seed of solved()) {
  const link = document.querySelector(`[data-puzzle="${CSS.escape(seed)}"]`);
  if (!link) continue;
  link.classList.add("solved");
  link.insertAdjacentHTML("beforeend", '<span aria-hidden="true"> ✓</span><span class="hidden">' + _("solved") + "</span>");
  document.querySelector("#puzzles .note").hidden = false;
}
