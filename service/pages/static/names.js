/** What fields, steps and values are called in the language of the page; the service is asked once for each. */

import { call } from "./api.js";
import { language } from "./words.js";

const MOST = 100;
const known = new Map();

/**
 * Ask for the names of keys that are to be shown. Where that fails, they are shown as they are.
 * @param {Iterable<string>} keys attributes, or `domain/step`, `domain/slot` and `domain/slot/value`
 */
export async function learn(keys) {
  if (language() === "en") return;
  const wanted = [...new Set(keys)].filter((key) => key && !known.has(key));
  for (let place = 0; place < wanted.length; place += MOST) {
    const asked = wanted.slice(place, place + MOST).map((key) => ["key", key]);
    const answer = await call(`/v1/names?${new URLSearchParams([["language", language()], ...asked])}`).catch(() => ({ names: {} }));
    for (const [key, name] of Object.entries(answer.names)) known.set(key, name);
  }
}

/**
 * What a key is called.
 * @param {string} key
 * @returns {string}
 */
export function nameOf(key) {
  return known.get(key) ?? key.split("/").at(-1).replaceAll("_", " ");
}

/**
 * The keys that MEMORY_STATE shows.
 * @param {any} state
 * @returns {string[]}
 */
export function keysOf(state) {
  const steps = (state.intents ?? []).flatMap((one) => [
    `${one.domain}/${one.state}`,
    ...Object.entries(one.slots).flatMap(([slot, value]) => [`${one.domain}/${slot}`, `${one.domain}/${slot}/${value}`]),
  ]);
  return [...state.current_facts.map((one) => one.attribute), ...steps];
}
