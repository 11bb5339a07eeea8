// The list of keys, and the switch for those of one letter.

import { openDialog } from "./dialog.js";
import { areOn, switchOn } from "./keys.js";
import { _ } from "./words.js";

const KEYS = [
  ["← →", _("along the hand or the Stones; in a replay a turn back or forward")],
  ["↑ ↓", _("between the Stones and the hand, and along the log")],
  [_("Enter"), _("press; sends a finished turn")],
  ["1 – 9", _("play the chosen card on that Stone; without one, say how the Stone stands")],
  ["C", _("claim")],
  [_("Home, End"), _("first and last card or Stone; in a replay the first and the last step")],
  [_("U or Esc"), _("undo; Esc also leads from a replay back to now")],
  ["?", _("this list")],
];

export function show() {
  const rows = KEYS.map(([key, words]) => `<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`).join("");
  const keys = `<dl class="key-list" id="key-list">${rows}</dl><p><label><input type="checkbox" ${areOn() ? "checked" : ""}> ${_("Use single-letter keys")}</label></p>`;
  const dialog = openDialog(_("Keys"), keys, "keys");
  dialog.setAttribute("aria-describedby", "key-list"); // nothing in the list takes the focus, which would read it
  dialog.querySelector("input").onchange = ({ target }) => switchOn(target.checked);
}
