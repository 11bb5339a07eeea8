// A link to this page may hold a record: replays it, as if it had been pasted.

const field = document.getElementById("record-text");

function open() {
  if (location.hash.length < 2) return;
  field.value = location.href;
  field.form.querySelector("button[name=at][value='']").click();
}

open();
addEventListener("hashchange", open);
