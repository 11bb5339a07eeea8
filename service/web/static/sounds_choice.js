// The choice of sounds: whether there are any, how loud, which, and a try of each.

import { openDialog } from "./dialog.js";
import { chosen, remember, sound } from "./sounds.js";
import { _ } from "./words.js";

/** Each event: its words, and its tunes (instruments.js) with those of their buttons. */
const EVENTS = {
  turn: [_("Your turn"), { turn: "" }],
  stone: [_("A Stone is claimed"), { claimed: _("Yours"), taken: _("Theirs") }],
  message: [_("A message or an offer"), { message: "" }],
  time: [_("Your last hour begins"), { time: "" }],
  end: [_("The game is over"), { won: _("Won"), lost: _("Lost"), drawn: _("Drawn") }],
  card: [_("A card is laid"), { laid: _("Yours"), answered: _("Theirs") }],
  arrival: [_("The other player comes after 5 minutes away"), { arrival: "" }],
  sent: [_("You have sent your turn"), { sent: "" }],
};

const button = (words) => ([name, of]) => {
  const sound = of ? `${words}, ${of}` : words;
  const label = _("Try: %(sound)s", { sound });
  return `<button type="button" class="lesser" value="${name}" aria-label="${label}">${of || _("Try")}</button>`;
};

const line = ([event, [words, tunes]]) => `<li><label><input type="checkbox" value="${event}" ${chosen.events.includes(event) ? "checked" : ""}> ${words}</label>
  <span>${Object.entries(tunes).map(button(words)).join(" ")}</span></li>`;

export function show() {
  const dialog = openDialog(_("Sounds"), `<p><label><input type="checkbox" value="on" ${chosen.on ? "checked" : ""}> <b>${_("Sounds on")}</b></label></p>
    <p><label>${_("Volume")} <input type="range" min="0" max="10" value="${chosen.volume}"></label></p>
    <details><summary>${_("Which sounds?")}</summary><ul>${Object.entries(EVENTS).map(line).join("")}</ul></details><p class="note">${_("This device remembers your choice.")}</p>`, "sounds");
  dialog.addEventListener("change", ({ target: { type, value, checked } }) => {
    if (type === "range") chosen.volume = Number(value);
    else if (value === "on") {
      chosen.on = checked;
      document.getElementById("ask-sounds")?.remove(); // it is answered
    } else chosen.events = [...dialog.querySelectorAll("li input:checked")].map((input) => input.value);
    remember();
    if (checked || type === "range") sound(value in EVENTS ? Object.keys(EVENTS[value][1])[0] : "turn", true);
  });
  dialog.querySelector("ul").addEventListener("click", ({ target }) => target.matches("button") && sound(target.value, true));
}
