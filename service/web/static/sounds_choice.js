// The choice of sounds: whether there are any, how loud, which, and a try of each.

import { openDialog } from "./dialog.js";
import { chosen, remember, sound } from "./sounds.js";

const EVENTS = { turn: "Your turn", stone: "A Stone is claimed", message: "A message or an offer", end: "The game is over", sent: "You have sent, softly" };

const line = ([event, words]) => `<li><label><input type="checkbox" value="${event}" ${chosen.events.includes(event) ? "checked" : ""}> ${words}</label>
  <button type="button" class="lesser" value="${event}" aria-label="Try: ${words}">Try</button></li>`;

export function show() {
  const dialog = openDialog("Sounds", `<p><label><input type="checkbox" value="on" ${chosen.on ? "checked" : ""}> <b>Sounds on</b></label></p>
    <p><label>Volume <input type="range" min="0" max="10" value="${chosen.volume}"></label></p>
    <ul>${Object.entries(EVENTS).map(line).join("")}</ul><p class="note">This device remembers your choice.</p>`, "sounds");
  dialog.addEventListener("change", ({ target: { type, value, checked } }) => {
    if (type === "range") chosen.volume = Number(value);
    else if (value === "on") chosen.on = checked;
    else chosen.events = [...dialog.querySelectorAll("li input:checked")].map((input) => input.value);
    remember();
    if (checked || type === "range") sound(value in EVENTS ? value : "turn");
  });
  dialog.querySelector("ul").addEventListener("click", ({ target }) => target.matches("button") && sound(target.value));
}
