// Messages: they appear where they stand, and are sent from there. What is being written stays, and
// so does the unsent turn.

import { fetchPage, paced, replaceParts } from "./fragments.js";
import { _ } from "./words.js";

const PARTS = ["talk-list", "talk-new"];
const found = (id) => document.getElementById(id);
const talk = found("talk");
const last = () => Number(found("talk-list").dataset.last);

let marked = 0; // the last message that the server has marked as read

/** Show what `page` has of the conversation, and say whether anything is new. */
function take(page) {
  const before = last();
  const form = found("talk-form");
  const { top } = form.getBoundingClientRect();
  if (!page.getElementById("talk-list")) return false;
  replaceParts(page, PARTS);
  if (top < innerHeight && getComputedStyle(form).position === "static") scrollBy({ top: form.getBoundingClientRect().top - top, behavior: "instant" }); // it stays below the finger
  const unread = Number(found("talk-list").dataset.unread);
  count(unread);
  const refused = page.getElementById("talk-form").hidden;
  form.hidden = refused;
  for (const control of form.querySelectorAll("textarea, button")) control.disabled = refused;
  if (last() > before) {
    const isOpen = talk.checkVisibility();
    if (isOpen || unread) found("talk-told").textContent = isOpen ? written(last() - before) : _("%(count)s new in Talk", { count: unread });
    if (found("talk-list").querySelector(".said li:last-child.new")) document.dispatchEvent(new Event("game:addressed"));
    showNewest();
  }
  seen();
  return true;
}

/** Who has written what: of the newest messages, as many as `count`, those of the other player. */
function written(count) {
  const theirs = [...talk.querySelectorAll(".said li")].slice(-count).filter((message) => message.matches(".theirs"));
  return theirs.flatMap((message) => [...message.querySelectorAll("b, .written")].map((part) => part.textContent)).join("\n");
}

/** The newest message ends above the form, where the panel scrolls. */
function showNewest() {
  talk.closest(".panel").scrollTop += found("talk-list").getBoundingClientRect().bottom - found("talk-form").getBoundingClientRect().top;
}

/** Show how many are new: here, on the tab, and not at all in the title and beside whose turn it is
 * once none is. */
function count(unread) {
  const badge = found("talk-count"); // none before the game has begun: there are no tabs
  found("talk-new").hidden = !unread;
  if (badge) badge.firstChild.data = unread;
  badge?.toggleAttribute("hidden", !unread);
  const told = document.querySelector("title").dataset.unread; // what the title says of them
  if (!unread && told) document.title = document.title.replace(told, "");
  if (!unread) document.querySelector(".wrote")?.remove();
}

async function refresh() {
  take((await fetchPage(talk.dataset.source)).page);
}

/** Tell the server what was read, once it is in sight. */
function seen() {
  const form = found("talk-read");
  if (!form || document.hidden || last() <= marked || !talk.checkVisibility()) return; // another tab lies over it
  const { top, bottom } = found("talk-list").getBoundingClientRect();
  if (bottom >= 0 && top <= innerHeight) markRead();
}

const markRead = paced(async () => {
  const form = found("talk-read");
  const newest = last();
  if (!form || newest <= marked) return;
  await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
  marked = newest;
  form.remove();
  count(0);
  setTimeout(() => found("talk-told").replaceChildren(), 5000); // when it has been heard
});

async function sent(event) {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  button.disabled = true;
  found("talk-told").textContent = ""; // what never was gone is not read a second time
  try {
    const { page } = await fetchPage(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (take(page)) {
      form.elements.text.value = "";
      form.elements.once.value = page.querySelector("#talk-form [name=once]").value;
      wrong("");
      found("talk-told").prepend(_("Message sent."), " ");
    } else wrong(page.querySelector("main p")?.textContent ?? _("It was not sent."));
  } catch {
    wrong(_("No answer came. Press Send message again: it is sent once."));
  }
  button.disabled = form.hidden;
  if (document.activeElement === document.body) form.elements.text.focus({ preventScroll: true }); // a disabled button has none
}

function wrong(words) {
  found("talk-wrong").textContent = words;
  found("talk-wrong").hidden = !words;
}

found("talk-form").addEventListener("submit", sent);
document.addEventListener("game:said", paced(refresh));
document.addEventListener("visibilitychange", seen);
addEventListener("scroll", seen, { passive: true });
document.addEventListener("change", ({ target }) => {
  if (target.value === "said") showNewest();
  seen();
});
addEventListener("hashchange", seen);
seen();
