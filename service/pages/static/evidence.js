/** An answer with the evidence beside each of its sentences. */

import { clean, el, fill } from "./dom.js";
import { moment } from "./moments.js";
import { knows, word } from "./words.js";

const MARK = /\[([tcs][0-9]+)\]/g;
let made = 0;

/**
 * A text cut into what its claims say, each with the citations that carry it.
 * @param {{text: string, claims: any[], citations: any[]}} said a released sentence, or a whole answer
 * @returns {{text: string, citations: any[], verified: boolean}[]}
 */
export function pieces(said) {
  const found = [];
  let place = 0;
  for (const claim of said.claims ?? []) {
    const [start, end] = located(said.text, claim.text, place);
    if (start < 0) continue;
    if (start > place) found.push(between(said, said.text.slice(place, start)));
    place = end;
    found.push({ text: said.text.slice(start, end), citations: cited(said, claim), verified: claim.verdict === "supported" });
  }
  const rest = said.text.slice(place);
  if (found.some((piece) => piece.citations.length)) return rest ? [...found, between(said, rest)] : found;
  return [{ text: said.text, citations: said.citations, verified: false }];
}

/** Where a claim stands in a text, whatever blanks lie between its words. */
function located(text, claim, from) {
  const words = claim.match(/[\p{L}\p{N}]+|[^\s]/gu) ?? [];
  if (words.length === 0) return [-1, -1];
  const pattern = new RegExp(words.map((one) => one.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("\\s*"), "g");
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? [match.index, match.index + match[0].length] : [-1, -1];
}

/** What stands between the claims: it rests on what it names. */
function between(said, text) {
  return { text, citations: said.citations.filter((one) => text.includes(`[${one.turn_id}]`)), verified: false };
}

function cited(said, claim) {
  const named = said.citations.filter((one) => claim.evidence.includes(one.turn_id) || claim.text.includes(`[${one.turn_id}]`));
  return named.length || said.claims.length > 1 ? named : said.citations;
}

/**
 * Show a released sentence (or a whole answer) within an answer.
 * @param {HTMLElement} answer made by `answerBlock`
 * @param {{text: string, claims: any[], citations: any[]}} said
 */
export function release(answer, said) {
  const text = answer.querySelector(".text");
  if (text.childNodes.length) text.append(" ");
  for (const piece of pieces(said)) text.append(piece.citations.length ? sentence(answer, piece) : clean(piece.text));
}

function sentence(answer, piece) {
  const show = (pinned) => showEvidence(answer, piece, shown, pinned);
  const marked = new Set();
  const parts = [];
  let place = 0;
  for (const match of piece.text.matchAll(MARK)) {
    if (!piece.citations.some((one) => one.turn_id === match[1])) continue;
    parts.push(piece.text.slice(place, match.index), markOf(match[1], show));
    marked.add(match[1]);
    place = match.index + match[0].length;
  }
  parts.push(piece.text.slice(place));
  const left = new Set(piece.citations.map((one) => one.turn_id).filter((id) => !marked.has(id)));
  // "52,000 dollars" carries no mark of its own: it is given those of what it rests on.
  for (const id of left) parts.push(" ", markOf(id, show));
  const shown = el("span.sentence", { mouseenter: () => show(false) }, parts);
  return shown;
}

function markOf(id, show) {
  return el(
    "button.mark",
    { type: "button", "aria-expanded": "false", "aria-label": word("evidenceFor", id), focus: () => show(false), click: () => show(true) },
    id,
  );
}

/**
 * The block of an answer: its text, its evidence, and a line below.
 * @returns {HTMLElement}
 */
export function answerBlock() {
  made += 1;
  const evidence = el("aside.evidence", { id: `evidence-${made}`, "aria-label": word("evidence"), hidden: true });
  const block = el("div.answer", {}, el("div.body", {}, el("p.text")), el("p.foot.faint"), evidence);
  block.addEventListener("mouseleave", () => hide(block, false));
  block.addEventListener("focusout", (event) => {
    if (!block.contains(event.relatedTarget)) hide(block, false);
  });
  block.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide(block, true);
  });
  return block;
}

function showEvidence(answer, piece, sentenceShown, pinned) {
  const evidence = answer.querySelector(".evidence");
  const same = sentenceShown.classList.contains("shown");
  if (pinned && same && evidence.classList.contains("pinned")) {
    hide(answer, true);
    return;
  }
  if (!pinned && evidence.classList.contains("pinned")) return;
  hide(answer, true);
  fill(
    evidence,
    piece.verified && el("p.verified", {}, word("verified")),
    piece.citations.map(quotation),
  );
  evidence.hidden = false;
  evidence.classList.toggle("pinned", pinned);
  evidence.classList.toggle("above", !pinned && !fitsBelow(answer, evidence));
  sentenceShown.classList.add("shown");
  for (const mark of sentenceShown.querySelectorAll(".mark")) {
    mark.setAttribute("aria-expanded", "true");
    mark.setAttribute("aria-controls", evidence.id);
    mark.setAttribute("aria-describedby", evidence.id);
  }
}

function fitsBelow(answer, evidence) {
  const room = answer.parentElement.getBoundingClientRect();
  const { top, bottom } = answer.getBoundingClientRect();
  return bottom + evidence.offsetHeight <= room.bottom || top - evidence.offsetHeight < room.top;
}

function hide(answer, evenPinned) {
  const evidence = answer.querySelector(".evidence");
  if (evidence.classList.contains("pinned") && !evenPinned) return;
  evidence.hidden = true;
  evidence.classList.remove("pinned");
  for (const shown of answer.querySelectorAll(".sentence.shown")) {
    shown.classList.remove("shown");
    for (const mark of shown.querySelectorAll(".mark")) mark.setAttribute("aria-expanded", "false");
  }
}

/**
 * A quotation with its date, who said it, where it comes from, and its turn.
 * @param {any} one a citation
 * @returns {HTMLElement}
 */
export function quotation(one) {
  return el(
    "figure.quotation",
    {},
    el("blockquote", {}, one.quote),
    el(
      "figcaption",
      {},
      el("span", {}, speaker(one.speaker)),
      el("time", { datetime: one.observed_at }, moment(one.observed_at)),
      el("span", {}, knows(one.source) ? word(one.source) : one.source),
      turnLink(one.turn_id),
    ),
  );
}

/**
 * A link to a turn among all that was said; chunks and summaries are named only.
 * @param {string | null} id
 */
export function turnLink(id) {
  if (!id) return null;
  return id.startsWith("t") ? el("a.id", { href: `/memory#${id}` }, id) : el("span.id", {}, id);
}

/**
 * A link to an item and its history; what is no item is named only.
 * @param {string} id
 */
export function itemLink(id) {
  return id.startsWith("f") ? el("a.id", { href: `/memory#${id}` }, id) : el("span.id", {}, id);
}

/**
 * Who speaks, in the language of the page.
 * @param {string} name
 */
export function speaker(name) {
  if (name === "user") return word("you");
  return name === "assistant" ? word("assistant") : name;
}
