// What people read, in the language of the page. English stands in the scripts themselves.

const language = globalThis.document?.documentElement.lang ?? "en";
const messages = language === "en" ? {} : (await import(`./words/${language}.js`)).default;

/** The message in the page's language, with its places, %(name)s, filled in. */
export function _(message, places = {}) {
  return (messages[message] ?? message).replace(/%\((\w+)\)s/g, (place, name) => places[name]);
}
