// What a Tactic card does, in the words of the list below the unseen cards.

import { openDialog } from "./dialog.js";

/** `card`: a drawn card, or a chip that names one. */
export function explain(card) {
  const code = card.querySelector("use").getAttribute("href").slice(-3);
  const entry = document.querySelector(`#left details p:has(use[href$="#${code}"])`);
  if (!entry) return;
  const dialog = openDialog(entry.querySelector(".chip").textContent, `<p id="does">${entry.lastChild.textContent}</p>`);
  dialog.setAttribute("aria-describedby", "does");
}
