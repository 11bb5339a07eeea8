// The list of keys, and the switch for those of one letter.

import { openDialog } from "./dialog.js";
import { areOn, switchOn } from "./keys.js";

const KEYS = [
  ["← →", "along the hand or the Stones"],
  ["↑ ↓", "between the Stones and the hand"],
  ["Enter", "press; sends a finished turn"],
  ["1 – 9", "play the chosen card on that Stone; without one, say how the Stone stands"],
  ["C", "claim"],
  ["U or Esc", "undo"],
  ["?", "this list"],
];

export function show() {
  const rows = KEYS.map(([key, words]) => `<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`).join("");
  const keys = `<dl class="key-list">${rows}</dl><p><label><input type="checkbox" ${areOn() ? "checked" : ""}> Use single-letter keys</label></p>`;
  openDialog("Keys", keys, "keys").querySelector("input").onchange = ({ target }) => switchOn(target.checked);
}
