// Keeps a game's page up to date while others move. It never shows another step than the reader
// looks at, and what the reader puts together stays (turn.js).

import { fetchPage, replaceParts, takeHead } from "./fragments.js";
import { follow } from "./news.js";
import { paced } from "./pace.js";

const game = () => document.getElementById("game");
const isStep = () => game().dataset.step === "yes";
const shown = () => Number(isStep() ? document.getElementById("replay").dataset.last : game().dataset.version);

let newest = 0; // the newest version that was heard of

function heard(news) {
  if (!news || news.said) document.dispatchEvent(new Event("game:said"));
  if (!news) ask();
  else if (news.said) return;
  else if (news.game === game().dataset.game) moved(news.version);
  else beside();
}

/** Ask whether the game has moved on. */
const ask = paced(async () => {
  const headers = { Accept: "application/json", "If-None-Match": `"${shown()}"` };
  const answer = await fetch(game().dataset.ask, { headers });
  if (answer.status === 200) moved((await answer.json()).version);
});

function moved(version) {
  newest = Math.max(newest, version);
  if (newest <= shown()) return;
  if (isStep()) offer();
  else document.dispatchEvent(new Event("game:news"));
}

/** Another of the reader's games moved: how many wait is told in the title and below the hand. */
const beside = paced(async () => {
  if (isStep()) return;
  const { page } = await fetchPage(location.pathname + location.search);
  takeHead(page);
  replaceParts(page, ["next-game"]);
});

/** The reader looks at an old step: that stays. */
function offer() {
  if (document.getElementById("moved-on")) return;
  const words = document.createElement("p");
  const link = document.createElement("a");
  words.id = "moved-on";
  link.href = location.pathname;
  link.textContent = "The game has moved on";
  words.append(link, `, to step ${newest}.`);
  document.getElementById("status").after(words);
  document.getElementById("status").append(" The game has moved on.");
}

/** Mark what lies where it did not lie before, and what has another owner. */
function mark(old, fresh) {
  for (const column of fresh.querySelectorAll("[data-stone]")) {
    const before = old.querySelector(`[data-stone="${column.dataset.stone}"]`);
    if (!before) return; // the round has just begun
    if (ownerOf(before) !== ownerOf(column)) column.classList.add("changed");
    for (const list of [".side.above", ".side.below", ".modes"]) {
      const known = cardsIn(before, list).map(([name]) => name);
      for (const [name, item] of cardsIn(column, list)) {
        const place = known.indexOf(name);
        if (place < 0) item.classList.add("changed");
        else known.splice(place, 1);
      }
    }
  }
}

const ownerOf = (column) => column.className.match(/owned-\w+/)?.[0];
const cardsIn = (column, list) =>
  [...column.querySelectorAll(`${list} > li[data-card]`)].map((item) => [item.dataset.card, item]);

document.addEventListener("game:moved", ({ detail: old }) => {
  mark(old, game());
  document.getElementById("moved-on")?.remove();
  moved(newest); // it may have moved again meanwhile
});
if (game().dataset.stream) follow(game().dataset.stream, heard);
