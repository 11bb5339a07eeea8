// A step of a lesson is taken in place: its form leads to the same page without this module.

import { fetchPage, replaceParts } from "./fragments.js";

// What comes next, the first of them that is there.
const NEXT = [".changed .press.place", ".press.place", ".offer", "#answer"];

async function take(address) {
  const { page } = await fetchPage(address);
  if (!replaceParts(page, ["game"])) throw new Error("another page");
  history.replaceState(null, "", address);
  document.dispatchEvent(new Event("game:shown"));
  const next = NEXT.map((selector) => document.querySelector(`#game ${selector}`)).find(Boolean);
  next.focus({ preventScroll: true });
  document.querySelector("#game .ways")?.scrollIntoView({ block: "nearest" }); // how to go on, once it is done
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#game")) return;
  event.preventDefault();
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form, event.submitter));
  take(address).catch(() => location.assign(address));
});
