// Asks on the page of a game that is over for its analysis.

import { fetchPage } from "./fragments.js";

/** Asks for the analysis in place: what was checked and opened stays. */
export async function weigh(form) {
  try {
    const { page } = await fetchPage(form.action, { method: "POST", body: new FormData(form) });
    document.getElementById("after").prepend(page.getElementById("worth"));
    form.replaceWith(page.querySelector(".next [href='#worth']"));
    document.head.append(page.querySelector("[href$='/worth.css']"));
    location.hash = "worth";
    document.getElementById("worth").scrollIntoView(); // the hash may have been there: a mail leads to it
    document.getElementById("worth-title").focus({ preventScroll: true }); // the button that had it is gone
    import("./worth.js");
  } catch {
    form.submit(); // the answer says why
  }
}
