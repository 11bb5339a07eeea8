// What a step of the replay sounds like: as it did in the game. A step that follows before it has
// ended cuts it short, and a tab that nobody sees is silent.

import { afterClaim, afterFlight, chosen, endTune, play, sound } from "./sounds.js";

const SIDES = {
  below: { laid: "laid", claimed: "claimed" },
  above: { laid: "answered", claimed: "taken" },
};

/** The step that is shown in place of `old`, the table before it, sounds. */
export function stepped(old) {
  if (document.hidden || !chosen.on) return;
  const now = document.getElementById("game");
  for (const [side, tunes] of Object.entries(SIDES)) {
    const grew = (selector) => now.querySelectorAll(`.${side} ${selector}`).length > old.querySelectorAll(`.${side} ${selector}`).length;
    if (grew(".card")) afterFlight(() => turned(tunes.laid));
    if (grew(".flags .flag")) afterClaim(() => play("stone", tunes.claimed));
  }
  const { at, last } = document.getElementById("replay").dataset;
  if (at === last && document.querySelector(".match.ended")) afterClaim(() => play("end", endTune()));
}

/** In the game the card is heard, or that a turn was sent: here a card stands for both. */
function turned(name) {
  if (["card", "turn", "sent"].some((event) => chosen.events.includes(event))) sound(name, true);
}
