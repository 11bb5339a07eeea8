// Asks whether sounds are wanted, and lets them be heard: once, while a first game waits for a
// person, and not in the wait that first asked about turn alerts: one question after another is too many.

import { makeRoom } from "./fragments.js";
import { chosen, remember, sound } from "./sounds.js";
import { _ } from "./words.js";

const ALERTS = "scottenbury.alerts"; // that wait, in all tabs, since a mail opens another

/** Whether this is the wait that asked about turn alerts first: the version is the same until one's turn. */
function asksAlerts() {
  const { game, version } = document.getElementById("game").dataset;
  const wait = `${game} ${version}`;
  try {
    const first = localStorage.getItem(ALERTS);
    if (first) return first === wait;
    if (!document.querySelector(".telling:not(#ask-sounds)")) return false;
    localStorage.setItem(ALERTS, wait);
    return true;
  } catch {
    return true; // without storage the answer could not be remembered either
  }
}

export function ask() {
  if (asksAlerts()) return;
  const section = document.createElement("section");
  Object.assign(section, { id: "ask-sounds", className: "telling" });
  section.setAttribute("aria-labelledby", "ask-sounds-title");
  section.innerHTML = `<details><summary><h2 id="ask-sounds-title">${_("A sound when it’s your turn?")}</h2> <span class="button lesser">${_("Choose")}</span></summary>
    <p class="note">${_("Claims, messages and the end sound too. The speaker below the board has the choice, and the volume.")}</p>
    <button type="button" class="link" value="try">♪ ${_("Listen")}</button>
    <button type="button" class="lesser" value="on">${_("Yes, please")}</button>
    <button type="button" class="link" value="off">${_("No, thanks")}</button></details>`;
  section.addEventListener("click", ({ target: { value } }) => value && answer(section, value));
  document.getElementById("telling").after(section);
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && (section.dataset.seen = "")).observe(section);
  makeRoom();
}

function answer(section, value) {
  if (value !== "off") sound("turn", true);
  if (value === "try") return;
  chosen.on = value === "on";
  remember();
  section.remove();
  document.getElementById("game").focus({ preventScroll: true });
}
