// The fonts come inside a style sheet, and a browser takes a moment to unpack them: the page waits for it, rather than move.

const { classList } = document.documentElement;
classList.add("fontless");
Promise.all(Array.from(document.fonts, (face) => face.load())).finally(() => classList.remove("fontless"));
