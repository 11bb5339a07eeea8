// The pages around the board. All of them work without this: it only saves a refusal and a gesture.

/** Let only those variants be chosen that the chosen edition has. */
function offerVariants(form) {
  const edition = form.querySelector("[data-variants]:checked");
  const has = edition ? edition.dataset.variants.split(" ") : [];
  let lacking = false;
  for (const name of ["tactics", "expert"]) {
    const box = form.querySelector(`input[name="${name}"]`);
    if (!box) return;
    box.disabled = !has.includes(name);
    lacking ||= box.disabled;
  }
  form.querySelector("[data-lacks]").hidden = !lacking;
}

/** Put a button beside a link to be copied. */
function offerCopy(field) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "lesser";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${field.getAttribute("aria-label")}`);
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

for (const form of document.querySelectorAll("form.chooser")) {
  form.addEventListener("change", () => offerVariants(form));
  offerVariants(form);
}
for (const field of document.querySelectorAll("[data-copy]")) offerCopy(field);
