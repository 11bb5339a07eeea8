// A button beside each link that is there to be copied.

import { _ } from "./words.js";

function offerCopy(field) {
  const button = document.createElement("button");
  const name = field.getAttribute("aria-label") ?? field.labels[0].textContent.trim();
  button.type = "button";
  button.className = "lesser";
  button.textContent = _("Copy");
  button.setAttribute("aria-label", _("Copy: %(name)s", { name }));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = _("Copied");
      button.setAttribute("aria-label", _("Copied: %(name)s", { name }));
    } catch {
      field.focus(); // shown by that, where the button stands for it
      field.select();
      button.textContent = _("Selected");
    }
  });
  field.after(button);
  if (navigator.share && "share" in field.dataset) field.parentElement.after(shareButton(field.value));
}

/** A phone hands the link to the programs that it has. */
function shareButton(url) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "lesser";
  button.textContent = _("Share");
  button.addEventListener("click", () => navigator.share({ url }).catch(() => {})); // put away again
  return button;
}

/** Put the buttons into this part of the page. */
export function offerCopies(root) {
  for (const field of root.querySelectorAll("[data-copy]")) offerCopy(field);
}

offerCopies(document);
