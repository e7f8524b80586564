/** Terminals, services and handles, with a line for each that changed another; a line lights up when it happens. */

import { el, fill } from "./dom.js";
import { moment } from "./moments.js";
import { word } from "./words.js";

const LIT = 2400;
/** So many terminals are shown at once; the others on request. */
const FEW = 7;
let all = false;

/**
 * Draw who is connected with what.
 * @param {HTMLElement} place
 * @param {any} found what `/v1/memory/topology` says
 * @param {{handle: string | null, terminal: string | null}} chosen
 * @param {(kind: "handle" | "terminal" | "service", name: string) => void} onChoose
 */
export function drawTopology(place, found, chosen, onChoose) {
  const lines = el("svg:svg", { "aria-hidden": "true" });
  const node = (kind, name, ...children) =>
    el(
      "button.node",
      {
        type: "button",
        "data-kind": kind,
        "data-name": name,
        "aria-pressed": String(chosen[kind] === name),
        click: () => onChoose(kind, name),
      },
      ...children,
    );
  const terminals = found.terminals.filter(concerned).toSorted(byPresence);
  const shown = all ? terminals : terminals.slice(0, FEW);
  const rest = el("button.quiet", { type: "button", click: () => { all = true; drawTopology(place, found, chosen, onChoose); } }, word("more", terminals.length - shown.length));
  const columns = [
    ["terminals", [...shown.map((one) => node("terminal", one.terminal, terminal(one))), ...(shown.length < terminals.length ? [rest] : [])]],
    ["services", found.services.map((name) => node("service", name, el("strong", {}, name)))],
    ["handles", found.handles.map((one) => node("handle", one.handle, handle(one)))],
  ];
  fill(
    place,
    el(
      "div.topology",
      {},
      lines,
      columns.map(([name, nodes]) => el("div.column", {}, el("h3", {}, word(name)), nodes.length ? nodes : el("p.faint", {}, word("noServices")))),
    ),
  );
  link(place, lines, found.edges);
}

/**
 * The name of a handle as people read it.
 * @param {any} one
 * @returns {string}
 */
export function handleName(one) {
  return one.handle === "memory_state" ? word("memory_state") : one.type.replaceAll("_", " ");
}

/** Whether a terminal says something: a browser that only looked once and is gone does not. */
function concerned(one) {
  return one.streams > 0 || one.changes > 0 || one.named;
}

function byPresence(one, other) {
  return Math.sign(other.streams) - Math.sign(one.streams) || (other.last_change ?? "").localeCompare(one.last_change ?? "");
}

function terminal(one) {
  const lag = one.lag === null ? word("lagUnknown") : one.lag === 0 ? word("lag0") : word("lag", one.lag);
  const state = one.streams > 0 ? "live" : one.lag === null ? "unknown" : "away";
  return [
    el("strong", {}, one.terminal),
    el("span.lag", { "data-state": state, "data-behind": one.lag > 0 }, state === "unknown" ? lag : `${word(state === "live" ? "listening" : "notListening")} · ${lag}`),
  ];
}

function handle(one) {
  const by = one.last_updated_by || word("nobody");
  return [
    el("strong", {}, handleName(one)),
    one.handle !== "memory_state" && el("code", {}, one.handle.slice(0, 10)),
    el("span.faint", {}, `${word("version", one.version)} · ${by}`),
    one.last_updated && el("time.faint", { datetime: one.last_updated }, moment(one.last_updated)),
  ];
}

/** Lines from the terminals through the services to the handles. */
function link(place, lines, edges) {
  const pairs = new Map();
  for (const edge of edges) {
    const path = [edge.terminal && ["terminal", edge.terminal], edge.service && ["service", edge.service], ["handle", edge.handle]].filter(Boolean);
    for (let step = 1; step < path.length; step += 1) {
      pairs.set([...path[step - 1], ...path[step]].join(" "), [path[step - 1], path[step]]);
    }
  }
  const drawn = [...pairs].map(([key, [from, to]]) => [el("svg:path", { "data-edge": key }), from, to]);
  lines.append(...drawn.map(([path]) => path));
  const trace = () => {
    const origin = lines.getBoundingClientRect();
    for (const [path, from, to] of drawn) path.setAttribute("d", curve(origin, find(place, from), find(place, to)));
  };
  new ResizeObserver(trace).observe(lines);
  trace();
}

function find(place, [kind, name]) {
  return place.querySelector(`[data-kind="${kind}"][data-name="${CSS.escape(name)}"]`)?.getBoundingClientRect();
}

function curve(origin, from, to) {
  if (!from || !to) return "";
  const [x1, y1] = [from.right - origin.left, from.top + from.height / 2 - origin.top];
  const [x2, y2] = [to.left - origin.left, to.top + to.height / 2 - origin.top];
  const bend = Math.max(12, (x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/**
 * Light up the way that a change took.
 * @param {HTMLElement} place
 * @param {any} event
 */
export function lightUp(place, event) {
  const nodes = [["terminal", event.terminal], ["service", event.source], ["handle", event.handle]].filter(([, name]) => name);
  const lit = nodes.map(([kind, name]) => place.querySelector(`[data-kind="${kind}"][data-name="${CSS.escape(name)}"]`));
  for (let step = 1; step < nodes.length; step += 1) {
    lit.push(place.querySelector(`[data-edge="${CSS.escape([...nodes[step - 1], ...nodes[step]].join(" "))}"]`));
  }
  for (const one of lit.filter(Boolean)) {
    one.classList.add("lit");
    setTimeout(() => one.classList.remove("lit"), LIT);
  }
}
