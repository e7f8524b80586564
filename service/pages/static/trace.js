/** How an answer or a search came about: queries, what was kept, what was left out by which rule, the checked claims. */

import { call } from "./api.js";
import { el } from "./dom.js";
import { quotation, speaker, turnLink } from "./evidence.js";
import { moment } from "./moments.js";
import { dialog } from "./shell.js";
import { word } from "./words.js";

/**
 * Show the way to an answer.
 * @param {string} answer its id, such as `a7`
 */
export async function showWhy(answer) {
  const trace = await call(`/v1/memory/answers/${encodeURIComponent(answer)}`);
  dialog(
    word("whyTitle"),
    el(
      "div.trace",
      {},
      part(word("asked"), el("p", {}, trace.question)),
      ...wayOf(trace),
      part(word("claims"), (trace.claims ?? []).map(claimLine)),
      part(word("evidence"), (trace.citations ?? []).map(quotation)),
    ),
  );
}

/**
 * What a recall searched for, kept and left out.
 * @param {any} document
 * @param {boolean} [withKept]
 * @returns {any[]}
 */
export function wayOf(document, withKept = true) {
  return [
    part(word("searched"), el("ul.chips", {}, (document.queries ?? []).map((text) => el("li", {}, text)))),
    withKept && part(word("kept"), (document.results ?? []).map(resultLine)),
    part(word("dropped"), el("ul.chips", {}, (document.dropped ?? []).map((one) => el("li", {}, one.id, " · ", el("code", {}, one.rule))))),
  ];
}

/**
 * One result of a recall.
 * @param {any} result
 */
export function resultLine(result) {
  const channels = Object.keys(result.channels).join(", ");
  return el(
    "article.result",
    {},
    el("p", {}, result.text),
    el(
      "p.faint.line",
      {},
      el("span", {}, speaker(result.speaker)),
      el("time", { datetime: result.observed_at }, moment(result.observed_at)),
      turnLink(result.turn_id),
      el("span", {}, word("score", result.score.toFixed(2))),
      el("span", {}, channels),
    ),
  );
}

function claimLine(claim) {
  return el("p.claim", { "data-verdict": claim.verdict }, claim.text, " ", el("span.tag", {}, word(claim.verdict)));
}

function part(title, ...children) {
  const filled = children.flat().some((child) => child && child.childNodes.length);
  return el("section", {}, el("h3", {}, title), filled ? children : el("p.faint", {}, word("nothing")));
}
