/** The console: who is connected, what changed, and the way from "it forgot" to the cause. */

import { call } from "./api.js";
import { calmly } from "./calm.js";
import { changeRow, keysIn, says } from "./changes.js";
import { byId, el, fill } from "./dom.js";
import { learn } from "./names.js";
import { attempt, begin } from "./shell.js";
import { drawTopology, handleName, lightUp } from "./topology.js";
import { word } from "./words.js";

const TYPES = ["MEMORY_REGISTERED", "MEMORY_UPDATED", "MEMORY_EXPIRED", "MEMORY_FORGOTTEN"];
const PAGE = 200;
const MOST_LIT = 50;
const chosen = { handle: null, terminal: null, type: null, service: null, text: "" };
const opened = new Set();
const told = [];
const catchUp = calmly(() =>
  attempt(async () => {
    const lighting = told.splice(0).slice(-MOST_LIT);
    await reload();
    for (const event of lighting) lightUp(byId("topology"), event);
  }),
);
let topology = { terminals: [], services: [], handles: [], edges: [] };
let events = [];
let more = null;

for (const [id, name] of [["by-handle", "handle"], ["by-terminal", "terminal"], ["by-type", "type"]]) {
  byId(id).addEventListener("change", (event) => choose({ [name]: event.target.value || null }));
}
byId("by-text").addEventListener("input", (event) => {
  chosen.text = event.target.value.trim();
  showEvents();
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("clear").addEventListener("click", () => choose({ handle: null, terminal: null, type: null, service: null, text: "" }));
byId("older").addEventListener("click", () => attempt(() => load(more)));
// Only once it listens does the service count this browser among those that do.
begin({ onEvent: happened, onReset: () => attempt(reload), onLive: () => attempt(showTopology) });
setInterval(() => attempt(showTopology), 10000);

/** A change arrives: the tail grows, and its way lights up when the drawing knows it. */
function happened(event) {
  told.push(event);
  catchUp();
}

async function reload() {
  await Promise.all([showTopology(), load(), showConfigurations()]);
  showEvents();
}

async function showTopology() {
  const found = await call("/v1/memory/topology");
  const same = JSON.stringify(found) === JSON.stringify(topology);
  topology = found;
  if (same && byId("topology").childNodes.length) return;
  redraw();
}

/** How often somebody said "that's not what I said" to the answers of each way of answering. */
async function showConfigurations() {
  const { configurations } = await call("/v1/configurations");
  byId("configurations").hidden = configurations.length === 0;
  const highest = Math.max(0.0001, ...configurations.map((one) => one.rate));
  fill(
    byId("rates"),
    configurations.map((one) => {
      const share = el("span.rate");
      share.style.width = `${(one.rate / highest) * 8}rem`;
      const cells = [one.configuration || word("default"), one.answers, one.complaints, [share, ` ${(one.rate * 100).toFixed(1)} %`]];
      return el("tr", {}, cells.map((cell) => el("td", {}, cell)));
    }),
  );
}

function redraw() {
  const place = byId("topology");
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset : null;
  drawTopology(place, topology, chosen, (kind, name) => choose({ [kind]: chosen[kind] === name ? null : name }));
  // The drawing is made anew: whoever was at a node by keyboard stays there.
  if (focused?.name) place.querySelector(`[data-kind="${focused.kind}"][data-name="${CSS.escape(focused.name)}"]`)?.focus();
  options("by-handle", "anyHandle", topology.handles.map((one) => [one.handle, `${handleName(one)} ${one.handle === "memory_state" ? "" : one.handle.slice(0, 10)}`]), chosen.handle);
  options("by-terminal", "anyTerminal", topology.terminals.map((one) => [one.terminal, one.terminal]), chosen.terminal);
  options("by-type", "anyType", TYPES.map((type) => [type, word(type)]), chosen.type);
}

function options(id, any, entries, selected) {
  const listed = selected === null || entries.some(([value]) => value === selected) ? entries : [...entries, [selected, selected]];
  fill(byId(id), el("option", { value: "" }, word(any)), listed.map(([value, name]) => el("option", { value, selected: value === selected }, name)));
}

function choose(changes) {
  Object.assign(chosen, changes);
  byId("by-text").value = chosen.text;
  opened.clear();
  redraw();
  attempt(async () => {
    await load();
    if (changes.handle) byId("tail").scrollIntoView({ block: "nearest" });
  });
}

/** Read the changes that are asked for, or those before a number. */
async function load(before = null) {
  const named = { handle: chosen.handle, terminal: chosen.terminal, event_type: chosen.type, before, limit: PAGE };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== null));
  const found = await call(`/v1/memory/changes?${query}`);
  events = before === null ? found.events : [...events, ...found.events];
  more = found.before;
  await learn(keysIn(events));
  showEvents();
}

function showEvents() {
  const shown = events.filter((event) => (!chosen.service || event.source === chosen.service) && (!chosen.text || says(event, chosen.text)));
  const names = new Map(topology.handles.map((one) => [one.handle, handleName(one)]));
  const rows = shown.map((event) => {
    const earlier = events.filter((one) => one.handle === event.handle && one.number < event.number);
    const row = changeRow(event, earlier, names.get(event.handle) ?? event.handle.slice(0, 10), opened.has(event.number));
    row.firstChild.addEventListener("toggle", (toggled) => (toggled.target.open ? opened.add(event.number) : opened.delete(event.number)));
    return row;
  });
  fill(byId("tail"), rows.length ? rows : el("li.faint", {}, word("noEvents")));
  byId("older").hidden = more === null;
}
