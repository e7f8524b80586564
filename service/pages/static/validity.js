/** How long each version of a value held, as bars on one axis of time. */

import { el } from "./dom.js";
import { day } from "./moments.js";
import { word } from "./words.js";

/**
 * The axis that items share: from the earliest to now.
 * @param {any[]} items
 * @returns {{begin: number, end: number}}
 */
export function axisOf(items) {
  const end = Date.now();
  const begin = Math.min(end - 60000, ...items.map((item) => Date.parse(item.valid_from)));
  return { begin, end };
}

/**
 * The bar of an item, with its words for those who do not see it.
 * @param {any} item
 * @param {{begin: number, end: number}} axis
 * @returns {HTMLElement}
 */
export function bar(item, axis) {
  const share = (iso) => Math.min(1, Math.max(0, (Date.parse(iso) - axis.begin) / (axis.end - axis.begin)));
  const from = share(item.valid_from);
  const ends = item.valid_to ?? item.closed_at;
  const until = ends === null ? 1 : Math.max(from, share(ends));
  const filled = el("span.filled");
  filled.style.left = `${Math.min(from, 0.985) * 100}%`;
  filled.style.width = `${Math.max(until - from, 0.015) * 100}%`;
  return el("span.bar", { "data-state": stateOf(item), role: "img", "aria-label": said(item) }, filled);
}

/**
 * What became of an item: `live`, or how it ended.
 * @param {any} item
 * @returns {string}
 */
export function stateOf(item) {
  return item.live ? "live" : item.closed_by;
}

/**
 * Its validity in words.
 * @param {any} item
 * @returns {string}
 */
export function said(item) {
  const ends = item.valid_to ?? item.closed_at;
  const state = item.live ? word("live_item") : word(item.closed_by);
  return [word("from", day(item.valid_from)), ends && word("until", day(ends)), state].filter(Boolean).join(" · ");
}
