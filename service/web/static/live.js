// Keeps a game's page up to date while others move. It never shows another step than the reader
// looks at, and what the reader puts together stays (turn.js).

import { fetchPage, paced, replaceParts, takeHead } from "./fragments.js";
import { follow } from "./news.js";
import { _ } from "./words.js";

const game = () => document.getElementById("game");
const isStep = () => game().dataset.step === "yes";
const shown = () => Number(isStep() ? document.getElementById("replay").dataset.last : game().dataset.version);

/** An element as the server wrote it, but for what it draws anew each time. */
const source = (root, id) => root.getElementById(id)?.outerHTML.replace(/ name="once" value="[^"]*"/g, "");

let newest = 0; // the newest version that was heard of
let said = 0; // and how far one has heard of what the other player wrote or offered
let late = false; // whether such a thing was heard of beside a step
let missed = false; // whether something beside the game may have happened unheard
let time = source(document, "time"); // what the server has said of the clock
let open = offers(document); // the other player's offers and refusals that were shown

function heard(news) {
  if (!news) look();
  else if (news.opened) ask();
  else if (news.said) wrote(news.said);
  else if (news.game === game().dataset.game) moved(news.version);
  else beside();
}

/** Ask whether the game has moved on, or the other player has written or offered something. */
const ask = paced(async () => {
  const known = Math.max(said, Number(game().dataset.said));
  const address = new URL(game().dataset.ask, location.href);
  address.searchParams.set("said", known);
  const headers = { Accept: "application/json", "If-None-Match": `"${shown()}"` };
  const answer = await fetch(address, { headers });
  if (![200, 304].includes(answer.status)) return;
  if (missed) {
    missed = false;
    document.dispatchEvent(new Event("game:said"));
    beside();
  }
  if (answer.status === 304) return;
  const news = await answer.json();
  if (news.said > known) wrote(news.said);
  moved(news.version);
});

/** The same, where something beside the game may have happened unheard: that is fetched once the server
 * has answered, for it may be away. */
function look() {
  missed = true;
  ask();
}

function wrote(count) {
  said = Math.max(said, count);
  document.dispatchEvent(new CustomEvent("game:said", { detail: count }));
  beside();
}

function moved(version) {
  newest = Math.max(newest, version);
  if (newest <= shown()) return;
  if (isStep()) offer();
  else document.dispatchEvent(new Event("game:news"));
}

function offers(root) {
  const parts = root.querySelectorAll("#now :is(.answered, .asks-you a:is([href='#pause-offer'], [href='#leaving'], [href='#rematch']))");
  return [...parts].map((part) => part.textContent);
}

/** Tell of a new offer or refusal: much else makes the server say that something happened, presence above all. */
function count(root) {
  const before = open;
  open = offers(root);
  const fresh = open.find((words) => !before.includes(words));
  if (fresh) document.dispatchEvent(new CustomEvent("game:addressed", { detail: fresh }));
}

/** Another of the reader's games moved, or the other player wrote or offered something. */
const beside = paced(async () => {
  late = isStep();
  const { page } = await fetchPage((document.querySelector(".to-now a") ?? location).href);
  if (!late && Number(page.getElementById("game")?.dataset.version) !== shown()) return; // turn.js takes it all
  takeHead(page);
  if ((late ||= isStep())) return; // the step stays
  const fresh = source(page, "time");
  for (const id of ["now", "deadline", "presence", "time", "rematch", "reply", "next-game"]) {
    if (id === "time" && fresh === time) continue; // what is open or filled in there stays
    if (document.getElementById(id)?.contains(document.activeElement)) continue;
    if (replaceParts(page, [id]) && id === "time") time = fresh;
  }
  count(document);
  document.dispatchEvent(new Event("game:beside"));
});

/** The reader looks at an old step: that stays. */
function offer() {
  if (document.getElementById("moved-on")) return;
  beside();
  const words = document.createElement("p");
  const link = document.createElement("a");
  words.id = "moved-on";
  link.href = location.pathname;
  link.textContent = _("The game has moved on");
  words.append(link);
  document.getElementById("status").after(words);
  document.getElementById("status").append(` ${_("The game has moved on.")}`);
}

document.addEventListener("game:moved", () => {
  count(document);
  time = source(document, "time");
  document.getElementById("moved-on")?.remove();
  moved(newest); // it may have moved again meanwhile
  if (late) beside();
});
if (isStep()) beside(); // the page of a step does not tell what waits
if (game().dataset.stream) follow(game().dataset.stream, heard);
