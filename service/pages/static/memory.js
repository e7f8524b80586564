/** The memory: the timeline of what was said, the facts with their validity, the summaries, a search. */

import { call, request } from "./api.js";
import { calmly } from "./calm.js";
import { byId, el, fill } from "./dom.js";
import { speaker, turnLink } from "./evidence.js";
import { forgetDialog } from "./forgetting.js";
import { chip, openItem, versionRow } from "./item_view.js";
import { clock, day, moment } from "./moments.js";
import { learn, nameOf } from "./names.js";
import { attempt, begin, notice } from "./shell.js";
import { resultLine, wayOf } from "./trace.js";
import { axisOf } from "./validity.js";
import { knows, word } from "./words.js";

const SECTIONS = ["decisions", "agreements", "user_stated", "assistant_stated", "todos", "choices", "open_questions"];
const PAGE = 60;
const view = byId("view");
const tabs = [...byId("views").querySelectorAll("[role=tab]")];
const showing = { timeline: showTimeline, facts: showFacts, summaries: showSummaries, search: showSearch };
const refresh = calmly(() => {
  if (chosen !== "search") attempt(showing[chosen]);
});
let chosen = "timeline";
let pages = 1;
let until = null;
let onlyLive = false;

for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab.dataset.view));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    choose(next.dataset.view);
    next.focus();
  });
}
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  choose("search");
});
byId("forget").addEventListener("click", () => forgetDialog());
byId("export").addEventListener("click", () => attempt(exported));
window.addEventListener("hashchange", () => attempt(goToNamed));
begin({ onEvent: refresh, onReset: refresh });
choose("timeline", false);
attempt(goToNamed);

function choose(name, now = true) {
  chosen = name;
  for (const tab of tabs) {
    const selected = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    if (selected) view.setAttribute("aria-labelledby", tab.id);
  }
  if (now) attempt(() => showing[name]());
}

async function showTimeline() {
  const { turns, before } = await turnsBefore(until, PAGE * pages);
  await learn(turns.flatMap((turn) => turn.items.map((item) => item.attribute)));
  if (chosen !== "timeline") return;
  const days = Map.groupBy(turns.toReversed(), (turn) => day(turn.observed_at));
  const turned = (changes) => () => attempt(() => {
    changes();
    return showTimeline();
  });
  fill(
    view,
    turns.length === 0 && el("p.faint", {}, word("noTurns")),
    until && el("button.soft", { type: "button", click: turned(() => { until = null; pages = 1; }) }, word("latest")),
    [...days].map(([name, said]) => el("section.day", {}, el("h2", {}, name), el("ol.plain", {}, said.map(turnRow)))),
    before && el("button.soft", { type: "button", click: turned(() => { pages += 1; }) }, word("older")),
  );
}

/** So many turns before a turn, or the last ones; oldest first. */
async function turnsBefore(turn, count) {
  let found = { turns: [], before: turn };
  do {
    const query = new URLSearchParams({ limit: Math.min(500, count - found.turns.length), ...(found.before && { before: found.before }) });
    const page = await call(`/v1/memory/turns?${query}`);
    found = { turns: [...page.turns, ...found.turns], before: page.before };
  } while (found.before && found.turns.length < count);
  return found;
}

function turnRow(turn) {
  return el(
    "li.turn",
    { id: turn.id, tabindex: -1, "data-source": turn.source },
    el(
      "p.faint.line",
      {},
      el("strong", {}, speaker(turn.speaker)),
      el("time", { datetime: turn.observed_at }, clock(turn.observed_at)),
      knows(turn.source) && el("span", {}, word(turn.source)),
      turn.terminal && el("span", {}, turn.terminal),
      turnLink(turn.id),
      el("button.link.forget", { type: "button", "aria-label": `${word("forgetMore")} ${turn.id}`, click: () => forgetDialog("turn", turn.id) }, word("forget")),
    ),
    el("p.text", {}, turn.text),
    turn.items.length > 0 && el("div.chips", {}, turn.items.map(chip)),
  );
}

async function showFacts() {
  const { items } = await call(`/v1/memory/items?limit=1000&live_only=${onlyLive}`);
  await learn(items.map((item) => item.attribute));
  if (chosen !== "facts") return;
  const stated = items.filter((item) => item.kind !== "question");
  const subjects = Map.groupBy(stated, (item) => `${item.entity}\u0000${item.single_valued ? item.attribute : `${item.kind} ${item.attribute}`}`);
  const only = el("label.check", {}, el("input", { type: "checkbox", checked: onlyLive, change: (event) => { onlyLive = event.target.checked; attempt(showFacts); } }), word("only"));
  fill(
    view,
    only,
    stated.length === 0 && el("p.faint", {}, word("noFacts")),
    [...subjects.values()].map((versions) => subject(versions)),
  );
}

function subject(versions) {
  const axis = axisOf(versions);
  const [first] = versions;
  const name = ["todo", "question"].includes(first.kind) ? "" : nameOf(first.attribute);
  const about = first.entity === "user" ? word("you") : first.entity_name;
  const title = el("h3", {}, el("span.faint", {}, about, " "), name, " ", el("span.tag", {}, word(`k_${first.kind}`)));
  return el("section.subject", {}, title, el("ol.plain.versions", {}, versions.map((item) => versionRow(item, axis))));
}

async function showSummaries() {
  const { summaries } = await call("/v1/memory/summaries");
  if (chosen !== "summaries") return;
  fill(view, summaries.length ? summaries.map(summary) : el("p.faint", {}, word("noSummaries")));
}

function summary(one) {
  const title = one.document.core_topic || one.session;
  const sections = SECTIONS.filter((name) => one.document[name]?.length).map((name) =>
    el("section", {}, el("h3", {}, word(`s_${name}`)), el("ul", {}, one.document[name].map((entry) => el("li", {}, entry.text, " ", turnLink(entry.turn_id))))),
  );
  const head = [moment(one.recorded_at), word("turnsTo", one.first_turn, one.last_turn), one.trigger.replaceAll("_", " ")].join(" · ");
  return el("article.card", {}, el("h2", {}, title), el("p.faint", {}, `${one.id} · ${head}`), sections);
}

async function showSearch() {
  const question = byId("question").value.trim();
  if (!question) {
    fill(view);
    byId("question").focus();
    return;
  }
  view.setAttribute("aria-busy", "true");
  const found = await call("/v1/memory/recall", { body: { question, limit: 10 } });
  view.setAttribute("aria-busy", "false");
  if (chosen !== "search") return;
  fill(
    view,
    found.results.length ? found.results.map(resultLine) : el("p.faint", {}, word("noResults")),
    el("details", {}, el("summary", {}, word("howFound")), el("div.trace", {}, wayOf(found, false))),
  );
}

/** Go to the turn or open the item that the address names. */
async function goToNamed() {
  const name = location.hash.slice(1);
  if (/^f\d+$/.test(name)) {
    await openItem(name);
    return;
  }
  if (!/^t\d+$/.test(name)) {
    await showing[chosen]();
    return;
  }
  choose("timeline", false);
  const number = Number(name.slice(1));
  const { turns } = await call("/v1/memory/turns?limit=1");
  const last = turns.length ? Number(turns[0].id.slice(1)) : 0;
  // What is long ago is shown with what surrounds it, not with all that came after.
  until = last - number > PAGE ? `t${number + PAGE / 2}` : null;
  pages = 1;
  await showTimeline();
  const row = byId(name) ?? view.appendChild(turnRow(await call(`/v1/memory/turns/${name}`)));
  row.classList.add("named");
  row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
}

async function exported() {
  const file = URL.createObjectURL(await (await request("/v1/memory/export")).blob());
  el("a", { href: file, download: "memory.jsonl" }).click();
  URL.revokeObjectURL(file);
  notice(word("exported"));
}
