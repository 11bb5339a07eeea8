// Shows how far the analysis of a finished game has come, until it is done.

import { fetchPage, replaceParts } from "./fragments.js";
import { _ } from "./words.js";

const PAUSE = 2000; // milliseconds between two looks

const status = () => document.getElementById("worth").dataset.status;
const isAhead = () => ["queued", "running"].includes(status());

/** Shows the part of `page`; whoever was in it stays in it, at its heading. */
function replace(page) {
  const wasIn = document.activeElement.closest("#worth");
  replaceParts(page, ["worth"]);
  if (wasIn && !document.activeElement.closest("#worth")) document.getElementById("worth-title").focus({ preventScroll: true });
}

async function look() {
  try {
    const url = new URL(location.href);
    url.searchParams.delete("at"); // the whole page has it too
    const { page, status: answered } = await fetchPage(url);
    if (answered === 200) replace(page);
    if (!isAhead()) document.getElementById("status").textContent = _("The turns are weighed.");
  } catch {
    // the server cannot be reached: later, perhaps
  }
  next();
}

function next() {
  if (isAhead()) setTimeout(look, PAUSE);
}

next();
