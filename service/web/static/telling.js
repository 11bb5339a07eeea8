// "Turn alerts": the answer appears where the question stands, and nothing else moves.

import { fetchPage, makeRoom, paced, replaceParts } from "./fragments.js";
import { offer } from "./push.js";
import { _ } from "./words.js";

const found = (selector) => document.querySelector(`#telling ${selector}`);

async function answered(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.closest("#telling")) return;
  event.preventDefault();
  const typed = found("[name=email]")?.value;
  const button = event.submitter ?? form.querySelector("button");
  button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    body.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone); // for the deadlines in mails
    const { page } = await fetchPage(form.action, { method: "POST", body });
    if (take(page)) return show(typed);
  } catch {
    // No answer came: as below.
  }
  button.disabled = false;
  wrong(form);
}

/** The answer of `page` stands where the question did, and nothing leads to a question that is answered. */
function take(page) {
  if (!replaceParts(page, ["telling"])) return false;
  if (!page.querySelector(".alert-me")) document.querySelector(".alert-me")?.remove();
  return true;
}

/** Put the focus on the answer; where that is a refusal on the address, where nothing is left on the game. */
function show(typed) {
  offer();
  const refusal = found("[role=alert]");
  const answer = !refusal && found("[open] > summary");
  const next = (refusal && found("[name=email]")) || answer || document.getElementById("game");
  if (refusal) next.value = typed;
  next.focus({ preventScroll: true });
  (refusal ?? answer)?.scrollIntoView({ block: "nearest" });
}

function wrong(form) {
  const words = form.querySelector(".message") ?? document.createElement("p");
  words.className = "message";
  words.role = "alert";
  words.textContent = _("No answer came. Press again.");
  form.append(words);
}

/** Something happened that concerns the player: perhaps their address was confirmed, in another tab or by mail. */
const look = paced(async () => {
  if (!found(".unconfirmed")) return;
  const { page } = await fetchPage(location.href);
  if (!page.querySelector("#telling .unconfirmed")) take(page);
});

/** All that one can choose comes into sight, as far as there is room: and the log stays there. */
function opened({ target }) {
  const isLink = target.matches("[href='#telling']");
  const choice = isLink ? found("details") : target.closest("#telling summary")?.parentElement;
  if (!choice) return;
  choice.open ||= isLink;
  requestAnimationFrame(() => {
    makeRoom();
    choice.scrollIntoView({ block: "nearest" });
  });
}

document.addEventListener("submit", answered);
document.addEventListener("click", opened);
document.addEventListener("game:said", look);
