// A mail in the local mailbox: its frame is as high as the mail, and its links that open an answer
// fill in the form below it.
// The frame runs nothing, but has the page's origin, so that it can be measured and listened to.

const frame = document.querySelector("iframe[data-fit]");
const form = document.querySelector("form.answer");

function fit() {
  const root = frame.contentDocument?.documentElement;
  if (!root) return; // between two documents
  const border = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + border}px`;
}

function fillIn(event) {
  const link = event.target.closest("a[href^='mailto:']");
  if (!link || !form) return;
  event.preventDefault();
  const { pathname, searchParams } = new URL(link.href);
  form.elements.to.value = decodeURIComponent(pathname);
  form.elements.text.value = searchParams.get("body") ?? "";
  form.elements.text.focus();
}

if (frame) {
  const ready = () => {
    fit();
    frame.contentDocument.addEventListener("click", fillIn);
  };
  frame.addEventListener("load", ready);
  ready();
  new ResizeObserver(fit).observe(frame.parentElement);
}
