// Shows how far the analysis of a finished game has come, until it is done.

import { fetchPage, replaceParts } from "./fragments.js";
import { _ } from "./words.js";

const PAUSE = 2000; // milliseconds between two looks

const status = () => document.getElementById("worth").dataset.status;
const isAhead = () => ["queued", "running"].includes(status());

async function look() {
  try {
    const url = new URL(location.href);
    url.searchParams.delete("at"); // the whole page has it too
    const { page, status: answered } = await fetchPage(url);
    if (answered === 200) replaceParts(page, ["worth"]);
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
