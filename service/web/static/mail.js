// A mail in the local mailbox: its frame is as high as the mail.
// The frame runs nothing, but has the page's origin, so that it can be measured.

const frame = document.querySelector("iframe[data-fit]");

function fit() {
  const root = frame.contentDocument?.documentElement;
  if (!root) return; // between two documents
  const border = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + border}px`;
}

if (frame) {
  frame.addEventListener("load", fit);
  new ResizeObserver(fit).observe(frame.parentElement);
}
