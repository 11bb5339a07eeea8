// Verifies the game or the record on its page.

import { kept } from "./salt.js";
import { showVerdict } from "./verdict.js";
import { _ } from "./words.js";

/** The record at `url`; without one, what the page's form holds. */
async function recordText(url) {
  if (url) return (await fetch(url)).text();
  const [file] = document.querySelector("input[name=file]").files;
  return file ? file.text() : document.querySelector("textarea[name=record]").value;
}

/** Checks the record of the page, also against the `heads` of its log that this browser was shown. */
export async function runChecks(section, heads) {
  const place = section.querySelector(".checks");
  try {
    if (!globalThis.crypto?.subtle) {
      throw new Error(_("This browser only checks records on pages that come by https or from this machine."));
    }
    const text = await recordText(section.dataset.record);
    const commitment = document.getElementById("replay")?.dataset.commitment;
    await showVerdict(place, text, kept(localStorage, commitment), heads);
  } catch (error) {
    place.textContent = _("This could not be checked. %(error)s", { error: error.message });
  }
}
