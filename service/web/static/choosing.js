// A Clan card is chosen before the server is asked: the page names the Stones that take one. What is
// shown then is what the server would show, and Tactic cards are left to it.

import { areOn } from "./keys.js";
import { _ } from "./words.js";

const CLAN = /^[ROYGBP]\d$/;

/** Choose the card of this button of the hand, or take the choice back; false where the server must
 * be asked what follows. */
export function choose(game, button) {
  const find = (selector) => game.querySelector(selector);
  const { chosen, turn } = game.dataset;
  const { room } = find(".hand").dataset;
  const [card, old, coach] = [button.value || chosen, find(".hand [aria-pressed=true]"), find(".coach")];
  if (turn || !room || (coach && old === button) || ![card, chosen || card].every((code) => CLAN.test(code))) return false;
  if (coach?.dataset.next) {
    coach.className = "coach at-place";
    coach.querySelector("p").innerHTML = `<strong>${_("2 of 3")}</strong> ${coach.dataset.next}`;
  }
  for (const part of game.querySelectorAll(".press.place, .messages, form.back")) part.remove();
  for (const column of game.querySelectorAll(".lit")) column.classList.remove("lit");
  find(".judge[open]")?.removeAttribute("open");
  const put = (one, isChosen) => (one.setAttribute("aria-pressed", isChosen), (one.value = isChosen ? "" : chosen));
  if (old) put(old, false);
  if (old !== button) {
    put(button, true);
    for (const stone of room.split(" ")) {
      const column = find(`[data-stone="${stone}"]`);
      column.classList.add("lit");
      const label = _("Play on Stone %(stone)s", { stone });
      column.insertAdjacentHTML("beforeend", `<button form="press" class="press place" name="turn" value="${card}@${stone}" aria-label="${label}">${_("Play")}</button>`);
    }
    const press = find("#press");
    find(".ends").innerHTML = `<form method="get" action="${press.getAttribute("action")}" class="back">${press.innerHTML}<button class="lesser">${_("Put back")}</button></form>`;
  }
  game.dataset.chosen = old === button ? "" : card;
  const prompt = old === button ? _("Choose a card to play.") : _("Where do you play %(card)s?", { card: button.getAttribute("aria-label") });
  const way = old === button || !button.matches(":focus-visible") ? "" : ` ${areOn() ? _("Now a Stone: 1 to 9, or ↑.") : _("Now a Stone: ↑.")}`;
  find(".prompt").textContent = prompt + way;
  game.dataset.status = `${document.querySelector("#now .state").textContent}. ${prompt}${way}`;
  return true;
}
