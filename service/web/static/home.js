// The pages around the board. All of them work without this: it only saves a refusal and a gesture.

import { offerCopies } from "./copy.js";
import { fetchPage, paced, replaceParts, takeHead } from "./fragments.js";
import { follow } from "./news.js";

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

/** What is in the lobby is for everybody: only another game can be private. */
function offerPrivacy(form) {
  const [lobby, box] = ["[name=whom][value=lobby]", "[name=private]"].map((each) => form.querySelector(each));
  if (!lobby) return;
  box.disabled = lobby.checked;
  if (lobby.checked) box.checked = false;
}

/** Show the list of games as it stands, and in menu, title and icon how many wait. */
async function refreshGames() {
  const { page, status } = await fetchPage(document.getElementById("games").dataset.source);
  if (status !== 200) return;
  takeHead(page);
  replaceParts(page, ["games"]);
  offerCopies(document.getElementById("games"));
}

for (const field of document.querySelectorAll("input[name=zone][data-unzoned]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  field.previousElementSibling.textContent = field.value;
}
for (const form of document.querySelectorAll("form.chooser")) {
  const offer = () => [offerVariants, offerPrivacy].forEach((each) => each(form));
  form.addEventListener("change", offer);
  offer();
}
/** Tab passes over radios of a group that is chosen elsewhere: opened by keyboard, these are gone to at once. */
for (const others of document.querySelectorAll(".others")) {
  others.querySelector("summary").addEventListener("click", ({ detail }) => {
    if (!others.open && !detail) requestAnimationFrame(() => others.querySelector("[type=radio]").focus());
  });
}
/** Show whether the player whose page this is is here. */
async function refreshPresence() {
  const { page } = await fetchPage(location.href);
  takeHead(page);
  replaceParts(page, ["here"]);
}

if (document.getElementById("here")) follow("/news", paced(refreshPresence));
if (document.getElementById("games")) follow("/news", paced(refreshGames));
