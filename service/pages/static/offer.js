/** "Forget that" in the talk: the question, the yes or no to it, and what stays of both on the page. */

import { el } from "./dom.js";
import { noticeWhatIsLeft } from "./forgetting.js";
import { word } from "./words.js";

let open = null;

/**
 * What the next message answers, if something is asked: it is asked no longer.
 * @returns {{what: {kind: string, names: string[]}, block: HTMLElement} | null}
 */
export function takeOffer() {
  const taken = open;
  taken?.block.querySelector(".offer").remove();
  open = null;
  return taken;
}

/**
 * Ask below an answer whether what it shows is to be forgotten.
 * @param {HTMLElement} block
 * @param {any} offered what the event `forget` says
 * @param {(text: string) => void} reply says the answer to it
 */
export function offer(block, offered, reply) {
  const answer = (style, text, said) => el(`button.${style}`, { type: "button", click: () => reply(word(said)) }, word(text));
  block.querySelector(".body").append(el("div.actions.offer", {}, answer("soft", "keep", "sayNo"), answer("primary.danger", "forgetDo", "sayYes")));
  block.dataset.quotes = offered.names.join(" ");
  open = { what: { kind: offered.kind, names: offered.names }, block };
}

/**
 * What was said about forgetting, but for what quotes turns that are no longer there. None of it is in the records.
 * @param {HTMLElement} talk
 * @param {Set<string>} turns
 */
export function unrecorded(talk, turns) {
  const quoted = (block) => (block.dataset.quotes ?? "").split(" ").filter(Boolean);
  return [...talk.querySelectorAll(".unrecorded")].filter((block) => quoted(block).every((id) => turns.has(id)));
}

/**
 * Take from the page what the question quoted, once it is forgotten.
 * @param {{block: HTMLElement} | null} answered
 * @param {any} report
 */
export function forgotten(answered, report) {
  answered?.block.remove();
  noticeWhatIsLeft(report);
}
