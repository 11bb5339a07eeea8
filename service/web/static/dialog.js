// A dialog over the page: Escape, its button and a press beside it close it, and the focus goes back.

import { _ } from "./words.js";

const styles = document.createElement("link");
Object.assign(styles, { rel: "stylesheet", href: new URL("./dialog.css", import.meta.url) });
document.head.append(styles);
await new Promise((done) => (styles.onload = styles.onerror = done)); // seldom needed, so no page waits for it

/** Shows `content`, HTML of ours, below a heading. `opener` is the id of what opens it. */
export function openDialog(heading, content, opener) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.innerHTML = `<div><h2 id="dialog-title">${heading}</h2>${content}<p><button type="button" class="lesser" data-close>${_("Close")}</button></p></div>`;
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => (target === dialog || target.closest("[data-close]")) && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (document.activeElement === document.body) document.getElementById(opener)?.focus(); // the board is put anew at times
  });
  dialog.showModal();
  return dialog;
}
