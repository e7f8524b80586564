/** Building what a page shows. Text only ever becomes text nodes: nothing that a memory says is read as markup. */

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Text without the characters that would steer a terminal, or turn the direction of a line.
 * @param {unknown} text
 * @returns {string}
 */
export function clean(text) {
  return String(text ?? "").replace(CONTROL, "");
}

/**
 * An element with attributes, listeners and children.
 * @param {string} name for example `button.primary` or `svg:path`
 * @param {Record<string, any>} [given] attributes; functions become listeners, `false` and `null` are left out
 * @param {...any} children nodes, texts, or lists of them
 * @returns {any}
 */
export function el(name, given = {}, ...children) {
  const [tag, ...classes] = name.replace("svg:", "").split(".");
  const made = name.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  if (classes.length) made.classList.add(...classes);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value === true ? "" : clean(value));
  }
  put(made, ...children);
  return made;
}

/**
 * Append children to an element.
 * @param {Element} parent
 * @param {...any} children nodes, texts, or lists of them; `null` and `false` are left out
 */
export function put(parent, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
}

/**
 * Put children in the place of all that an element holds.
 * @param {Element} parent
 * @param {...any} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  put(parent, ...children);
}

/**
 * The element of an id; the pages and their scripts are written together, so it is there.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(id);
}
