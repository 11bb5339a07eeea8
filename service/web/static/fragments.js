// Takes parts of another page of this server into the page that is open.

import { localise } from "./moments.js";

const GAP = 1000; // milliseconds between the end of a run and the next

/**
 * The page at `url`: the document `page`, the answer's `status`, and the `address` that it came from
 * in the end, null where it is `url` itself. Throws where the server cannot be reached.
 */
export async function fetchPage(url, options) {
  const answer = await fetch(url, options);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  localise(page);
  return { page, status: answer.status, address: answer.redirected ? answer.url : null };
}

/**
 * Replaces the elements with these ids by those of `page`; false where one of them is missing. The
 * board stays where it is seen, however many words then stand above it.
 */
export function replaceParts(page, ids) {
  const found = ids.map((id) => [document.getElementById(id), page.getElementById(id)]);
  if (!found.flat().every(Boolean)) return false;
  const focused = document.activeElement;
  const label = focused && (focused.getAttribute("aria-label") || focused.textContent.trim());
  const top = ids.includes("now") && topOfBoard();
  for (const [old, next] of found) old.replaceWith(document.adoptNode(next));
  if (top) scrollBy({ top: topOfBoard() - top, behavior: "instant" });
  if (label && !document.contains(focused)) focusAgain(ids, label);
  return true;
}

const topOfBoard = () => document.querySelector(".table")?.getBoundingClientRect().top;

/** The title, the icon and the menu of `page`, which tell how many games wait. */
export function takeHead(page) {
  const icon = (from) => from.querySelector("link[rel=icon]");
  replaceParts(page, ["menu-count"]);
  document.title = page.title;
  document.querySelector("title").dataset.unread = page.querySelector("title").dataset.unread ?? "";
  if (icon(document).outerHTML !== icon(page).outerHTML) icon(document).replaceWith(document.adoptNode(icon(page)));
}

/** The formations give way where the log or the talk would be cut off. */
export function makeRoom() {
  const panels = document.getElementById("panels");
  if (panels?.scrollHeight > panels?.clientHeight) panels.querySelector(".formations")?.removeAttribute("open");
}

/** Puts the focus on what bears the same name as before. */
function focusAgain(ids, label) {
  for (const id of ids) {
    const controls = document.getElementById(id).querySelectorAll("a[href], button, input, summary");
    for (const control of controls) {
      if ((control.getAttribute("aria-label") || control.textContent.trim()) === label) {
        control.focus();
        return;
      }
    }
  }
  document.getElementById("main").focus({ preventScroll: true });
}

/**
 * A function that runs `job`, an async function: at once, or after the run that goes on and a pause.
 * However often it is called meanwhile, that is one run. A job that fails is left for the next call.
 * What others do leads to fetches here, and nobody else may decide how many.
 */
export function paced(job) {
  let running = false;
  let queued = false;

  async function run() {
    running = true;
    do {
      queued = false;
      await job().catch(() => {});
      await new Promise((done) => setTimeout(done, GAP));
    } while (queued);
    running = false;
  }

  return () => {
    if (running) queued = true;
    else run();
  };
}
