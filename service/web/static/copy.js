// A button beside each link that is there to be copied.

function offerCopy(field) {
  const button = document.createElement("button");
  const name = field.getAttribute("aria-label") ?? field.labels[0].textContent.trim();
  button.type = "button";
  button.className = "lesser";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${name}`);
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
  field.after(button);
}

/** Put the buttons into this part of the page. */
export function offerCopies(root) {
  for (const field of root.querySelectorAll("[data-copy]")) offerCopy(field);
}

offerCopies(document);
