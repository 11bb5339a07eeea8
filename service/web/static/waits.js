// Says at the top of the window what waits for the reader, while the board is scrolled out of sight.

import { _ } from "./words.js";

const SEEN = 0.35; // the share of the window that the board fills while it is in sight

const game = () => document.getElementById("game");
const link = Object.assign(document.createElement("button"), { id: "waits", type: "button", hidden: true });

function words() {
  if (document.querySelector("#now.mine")) return _("Your turn");
  return document.querySelector("#now .asks-you a:not([href='#talk'])")?.textContent ?? ""; // the tab says that of messages
}

function look() {
  link.textContent = words();
  link.hidden = !link.textContent || game().getBoundingClientRect().bottom > innerHeight * SEEN;
}

function lead() {
  document.getElementById("match").scrollIntoView();
  game().focus({ preventScroll: true });
}

link.addEventListener("click", lead);
addEventListener("scroll", look, { passive: true });
for (const name of ["game:shown", "game:beside"]) document.addEventListener(name, () => setTimeout(look));
document.getElementById("panels").prepend(link);
look();
