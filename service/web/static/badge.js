// What waits for the reader in any game, on every page: how much is in menu and title and on the icon
// of the app; a turn that comes is heard.

import { fetchPage, paced, takeHead } from "./fragments.js";
import { follow } from "./news.js";
import { playTurn } from "./sounds.js";

const COUNT = /^\(\d+\) |^/; // at the beginning of a title

let before = {}; // what was shown

/** The icon of each page tells it, but for a step of a game. A turn at the board that is shown sounds after its card (sounds.js). */
function put() {
  const { waiting = 0, turns } = document.querySelector("link[rel=icon]").dataset;
  const now = { turns: Number(turns), isHere: Boolean(document.querySelector(".now.mine")) };
  if (now.turns > before.turns && now.isHere <= before.isHere) playTurn();
  before = now;
  navigator.setAppBadge?.(Number(waiting)).catch(() => {}); // not an installed app, or not allowed to
}

/** Take what waits from the list of games, into a page that does not follow them itself. */
async function refresh() {
  const { page, status } = await fetchPage("/games/list");
  if (status !== 200) return;
  page.title = document.title.replace(COUNT, page.title.match(COUNT)[0]);
  takeHead(page);
}

put();
new MutationObserver(put).observe(document.head, { childList: true });
if (!document.querySelector("[data-stream], #games, #here")) follow("/news", paced(refresh));
