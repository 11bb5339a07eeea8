// What waits for the reader in any game, on every page: how much is in menu and title and on the icon
// of the app; a turn that comes is heard. What waits in the game that is shown is said at the top of
// the window, while the board is scrolled out of sight.

import { fetchPage, paced, takeHead } from "./fragments.js";
import { follow } from "./news.js";
import { playTurn } from "./sounds.js";
import { _ } from "./words.js";

const COUNT = /^\(\d+\) |^/; // at the beginning of a title
const SEEN = 0.35; // the share of the window that the board fills while it is in sight

const found = (selector) => document.querySelector(selector);
const link = Object.assign(document.createElement("button"), { id: "waits", type: "button", hidden: true });
let before = {}; // what was shown

/** The icon of each page tells it, but for a step of a game. A turn at the board that is shown sounds after its card (sounds.js). */
function put() {
  const { waiting = 0, turns } = found("link[rel=icon]").dataset;
  const now = { turns: Number(turns), isHere: Boolean(found(".now.mine")) };
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

function words() {
  if (found("#now.mine")) return _("Your turn");
  return found("#now .asks-you a:not([href='#talk'])")?.textContent ?? ""; // the tab says that of messages
}

function look() {
  const panels = found("#panels");
  if (!panels) return;
  if (!panels.contains(link)) panels.prepend(link);
  link.textContent = words();
  link.hidden = !link.textContent || found("#game").getBoundingClientRect().bottom > innerHeight * SEEN;
}

link.addEventListener("click", () => {
  found("#match").scrollIntoView();
  found("#game").focus({ preventScroll: true });
});
addEventListener("scroll", look, { passive: true });
for (const name of ["game:shown", "game:beside"]) document.addEventListener(name, () => setTimeout(look));
look();
put();
new MutationObserver(put).observe(document.head, { childList: true });
if (found("[data-sign]")) import("./presence.js");
if (!found("[data-stream='/news'], #games, #here")) follow("/news", paced(refresh));
