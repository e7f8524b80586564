/** MEMORY_STATE beside the talk: what holds now, what is under way, what is open; what changed lights up. */

import { el, fill } from "./dom.js";
import { itemLink, turnLink } from "./evidence.js";
import { day } from "./moments.js";
import { nameOf } from "./names.js";
import { word } from "./words.js";

let before = null;

/**
 * Show the document.
 * @param {HTMLElement} panel
 * @param {any} state
 */
export function showState(panel, state) {
  const known = before;
  const seen = new Set();
  const entry = (key, ...children) => {
    seen.add(key);
    return el(known && !known.has(key) ? "li.entry.new" : "li.entry", {}, ...children);
  };
  const sections = [
    ["intents", state.intents ?? [], (one) => intent(entry, one)],
    ["facts", state.current_facts, (one) => fact(entry, one)],
    ["todos", state.open_todos, (one) => entry(one.id, el("span.value", {}, one.text), meta(one.due_at && word("due", day(one.due_at)), one.turn_id))],
    ["questions", state.open_questions, (one) => entry(one.id, el("span.value", {}, one.text), meta(null, one.turn_id))],
    ["agreements", state.agreements, (one) => entry(one.id, el("span.value", {}, one.proposal), meta(day(one.since), one.turn_id))],
    ["conflicts", state.conflicts, (one) => entry(`${one.preferred}/${one.other}`, instead(one), meta(word("rule", one.rule)))],
    ["anchors", state.anchors, (one) => entry(`${one.key}:${one.value}`, el("span.key", {}, one.key), el("span.value", {}, one.value), meta(null, one.turn_id))],
  ].filter(([, entries]) => entries.length);
  const topic = state.topic && state.topic !== "user" && el("p.faint", {}, word("topic"), " ", el("strong", {}, state.topic));
  fill(
    panel,
    topic,
    sections.map(([name, entries, row]) =>
      el("section", {}, el("h3", {}, word(name), el("span.count", {}, entries.length)), el("ul.plain", {}, entries.toReversed().map(row))),
    ),
    sections.length === 0 && el("p.faint", {}, word("nothingHeld")),
  );
  before = seen;
}

function fact(entry, one) {
  const about = one.entity === "user" ? "" : `${one.entity} · `;
  return entry(
    one.id,
    el("span.key", {}, about + nameOf(one.attribute)),
    one.hedge && el("span.tag", {}, word(one.hedge)),
    el("span.value", {}, one.polarity === "negative" ? `${word("not")} ${one.value}` : one.value),
    meta(word("since", day(one.since)), one.turn_id),
  );
}

function intent(entry, one) {
  const slots = Object.entries(one.slots).map(([name, value]) => el("span.slot", {}, nameOf(`${one.domain}/${name}`), ": ", nameOf(`${one.domain}/${name}/${value}`)));
  return entry(
    `${one.domain}/${one.entity}/${one.state}`,
    el("span.key", {}, one.entity),
    el("span.value", {}, nameOf(`${one.domain}/${one.state}`), one.tentative && el("span.tag", {}, word("tentative"))),
    slots.length > 0 && el("span.slots", {}, slots),
    meta(word("since", day(one.since)), one.turn_id),
  );
}

/** Which of two items holds; each leads to what it says. */
function instead(one) {
  const [before, between, after] = word("instead", "\n", "\n").split("\n");
  return el("span.value", {}, before, itemLink(one.preferred), between, itemLink(one.other), after);
}

function meta(text, turn = null) {
  return el("span.meta.faint", {}, text, text && turn ? " · " : "", turnLink(turn));
}
