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

const lastStep = () => document.getElementById("replay")?.dataset.last;
let shown = null; // the verdict on the page: its `place`, and the `turn` and `step` up to which it goes

/** The verdict outlives the part of the page that a move puts anew, and says how far it goes. */
function keep() {
  const fresh = document.querySelector("#verify .checks");
  if (!shown || !fresh) return;
  if (fresh !== shown.place) fresh.replaceWith(shown.place);
  if (lastStep() === shown.step || shown.place.querySelector(".stale")) return;
  const note = document.createElement("p");
  note.className = "stale";
  note.textContent = _("Checked up to turn %(turn)s: the game has gone on. Press Verify to check again.", shown);
  shown.place.append(note);
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
    const step = lastStep();
    shown = { place, step, turn: await showVerdict(place, text, kept(localStorage, commitment), heads) };
  } catch (error) {
    place.textContent = _("This could not be checked. %(error)s", { error: error.message });
  }
  place.scrollIntoView({ block: "nearest" }); // on a phone the button is at the lower edge
}

document.addEventListener("game:moved", keep);
document.addEventListener("game:beside", keep);
