/** Changes as rows: what each changed, from what to what, who did it and when. */

import { el } from "./dom.js";
import { turnLink } from "./evidence.js";
import { clock, moment } from "./moments.js";
import { nameOf } from "./names.js";
import { word } from "./words.js";

/**
 * The keys whose names changes show.
 * @param {any[]} events
 * @returns {string[]}
 */
export function keysIn(events) {
  // An errand is kept under its domain and what it is about; a change of it names only what changed.
  const keys = ({ path, value }) => [value?.attribute, path[0] === "intents" && value?.state && `${path[1].split("/")[0]}/${value.state}`];
  return events.flatMap(changed).flatMap(keys).filter(Boolean);
}

/**
 * The values that an event changed, each by its path.
 * @param {any} event
 * @returns {{path: string[], value: any}[]}
 */
export function changed(event) {
  const found = [];
  const walk = (value, path) => {
    if (value === null || typeof value !== "object" || Array.isArray(value) || "value" in value || "turn_id" in value || "preferred" in value) {
      found.push({ path, value });
      return;
    }
    for (const [name, one] of Object.entries(value)) walk(one, [...path, name]);
  };
  if (event.delta) walk(event.delta, []);
  return found.filter((one) => one.path.length);
}

/**
 * The value that stood at a path before an event, put together from the earlier events that are given.
 * @param {any[]} earlier newest first
 * @param {string[]} path
 * @returns {any} `null` where there was none, `undefined` where the events do not reach back so far
 */
export function before(earlier, path) {
  const found = [];
  for (const event of earlier) {
    let value = event.delta;
    for (const name of path) value = value?.[name];
    if (value !== undefined) found.push(value);
    if (value === null || event.event_type === "MEMORY_REGISTERED") return found.reverse().reduce(patched, null);
  }
  return found.length ? found.reverse().reduce(patched, undefined) : undefined;
}

/**
 * A value after a change of it, which for an entry names only what changed.
 * @param {any} was
 * @param {any} change
 */
export function patched(was, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const merged = { ...(was ?? {}), ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/**
 * A value in few words.
 * @param {any} value
 * @returns {string}
 */
export function shownValue(value) {
  if (value === null) return word("gone");
  if (typeof value !== "object") return String(value);
  if ("text" in value) return value.text;
  if ("preferred" in value) return word("instead", value.preferred, value.other);
  if ("state" in value) return [value.entity, nameOf(`${value.domain}/${value.state}`)].filter(Boolean).join(": ");
  if ("attribute" in value) return `${nameOf(value.attribute)} = ${value.value}`;
  if ("value" in value) return [value.value, value.unit].filter((one) => one !== undefined && one !== null).join(" ");
  return JSON.stringify(value);
}

/**
 * Whether a change says a text, in any of its values.
 * @param {any} event
 * @param {string} text
 */
export function says(event, text) {
  return JSON.stringify([event.delta ?? {}, event.metadata ?? {}]).toLowerCase().includes(text.toLowerCase());
}

/**
 * The row of an event: closed it says what changed, open it says from what to what.
 * @param {any} event
 * @param {any[]} earlier the earlier events of the same handle, newest first
 * @param {string} name of the handle
 * @param {boolean} open
 */
export function changeRow(event, earlier, name, open) {
  const values = changed(event);
  // Which item was preferred says less than what was and what became of it, where both are there.
  const telling = values.filter((one) => one.path[0] !== "conflicts");
  const brief = (telling.length ? telling : values).map((one) => briefly(one, before(earlier, one.path))).join(", ");
  const left = isLeft(event);
  const type = left ? "MEMORY_FORGOTTEN" : event.event_type;
  const summary = el(
    "summary",
    {},
    el("span.number", {}, `#${event.number}`),
    el("time", { datetime: event.created_at }, clock(event.created_at, true)),
    el("span.tag", { "data-type": type }, word(left ? "leftTag" : type)),
    el("span.handle", {}, name),
    el("span.who", {}, event.terminal || word("nobody")),
    el("span.brief", {}, left ? word("leftText") : type === "MEMORY_FORGOTTEN" ? word("forgottenEvent") : brief),
  );
  return el("li", { "data-number": event.number }, el("details.change", { open }, summary, detail(event, earlier, values)));
}

/** Whether an event tells anew what is left of a handle after a forgetting, by whom the forgetting was asked for. */
function isLeft(event) {
  return event.event_type === "MEMORY_REGISTERED" && event.version > 1;
}

function briefly({ value }, was) {
  if (value !== null) return shownValue(patched(was, value));
  return was ? `${shownValue(was)} → ${word("gone")}` : word("gone");
}

function detail(event, earlier, values) {
  const rows = values.map(({ path, value }) => {
    const was = before(earlier, path);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, path.join(" › ")),
      el("td", {}, was === undefined ? el("span.faint", {}, word("unknown")) : was === null ? word("none") : [shownValue(was), " ", turnLink(was.turn_id)]),
      el("td", {}, shownValue(patched(was, value)), " ", value === null ? null : turnLink(value.turn_id)),
    );
  });
  const through = event.source && !isLeft(event) && word("through", event.source);
  return el(
    "div.detail",
    {},
    el(
      "dl",
      {},
      el("div", {}, el("dt", {}, word("byWhom")), el("dd.by", {}, [event.terminal || word("nobody"), through].filter(Boolean).join(" "))),
      el("div", {}, el("dt", {}, word("when")), el("dd", {}, el("time", { datetime: event.created_at }, moment(event.created_at)))),
      el("div", {}, el("dt", {}, word("handle")), el("dd", {}, el("code", {}, event.handle), ` · ${word("version", event.version)}`)),
    ),
    rows.length > 0 &&
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ["key", "was", "became"].map((key) => el("th", { scope: "col" }, word(key))))),
        el("tbody", {}, rows),
      ),
  );
}
