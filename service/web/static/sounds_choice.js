// The choice of sounds: whether there are any, how loud, which, and a try of each.

import { openDialog } from "./dialog.js";
import { chosen, remember, sound } from "./sounds.js";

/** Each event: its words, and its tunes (instruments.js) with those of their buttons. */
const EVENTS = {
  turn: ["Your turn", { turn: "Try" }],
  stone: ["A Stone is claimed", { claimed: "Yours", taken: "Theirs" }],
  message: ["A message or an offer", { message: "Try" }],
  time: ["Your last hour begins", { time: "Try" }],
  end: ["The game is over", { won: "Won", lost: "Lost", drawn: "Drawn" }],
  card: ["A card is laid", { laid: "Yours", answered: "Theirs" }],
  arrival: ["The other player comes", { arrival: "Try" }],
  sent: ["You have sent your turn", { sent: "Try" }],
};

const button = (words) => ([name, of]) =>
  `<button type="button" class="lesser" value="${name}" aria-label="Try: ${words}${of === "Try" ? "" : `, ${of}`}">${of}</button>`;

const line = ([event, [words, tunes]]) => `<li><label><input type="checkbox" value="${event}" ${chosen.events.includes(event) ? "checked" : ""}> ${words}</label>
  <span>${Object.entries(tunes).map(button(words)).join(" ")}</span></li>`;

export function show() {
  const dialog = openDialog("Sounds", `<p><label><input type="checkbox" value="on" ${chosen.on ? "checked" : ""}> <b>Sounds on</b></label></p>
    <p><label>Volume <input type="range" min="0" max="10" value="${chosen.volume}"></label></p>
    <ul>${Object.entries(EVENTS).map(line).join("")}</ul><p class="note">This device remembers your choice.</p>`, "sounds");
  dialog.addEventListener("change", ({ target: { type, value, checked } }) => {
    if (type === "range") chosen.volume = Number(value);
    else if (value === "on") chosen.on = checked;
    else chosen.events = [...dialog.querySelectorAll("li input:checked")].map((input) => input.value);
    remember();
    if (checked || type === "range") sound(value in EVENTS ? Object.keys(EVENTS[value][1])[0] : "turn", true);
  });
  dialog.querySelector("ul").addEventListener("click", ({ target }) => target.matches("button") && sound(target.value, true));
}
