/** The chat: what is said, the answer as it is released, the conversations, and the memory beside them. */

import { Problem, call, request } from "./api.js";
import { calmly } from "./calm.js";
import { byId, el, fill } from "./dom.js";
import { eventsOf } from "./events.js";
import { answerBlock, release, turnLink } from "./evidence.js";
import { clock, day } from "./moments.js";
import { keysOf, learn } from "./names.js";
import { forgotten, offer, takeOffer, unrecorded } from "./offer.js";
import { sentenceOf } from "./problems.js";
import { attempt, begin, drawer } from "./shell.js";
import { showState } from "./state_panel.js";
import { showWhy } from "./trace.js";
import { word } from "./words.js";

const talk = byId("talk");
const field = byId("message");
/** Tells the other tabs of this browser that something was said, not what. */
const tabs = new BroadcastChannel("veridical");
const hidden = drawer(byId("show-conversations"), byId("conversations"));
drawer(byId("show-state"), byId("state"));

const refresh = calmly(() => attempt(bringUpToDate));
let session = decodeURIComponent(location.hash.slice(1)) || null;
let busy = false;
let fresh = true;
/** Whether something was forgotten since the turns were shown: what is on the page need not be among them yet. */
let gone = false;
/** The turns on the page, by id. */
const shown = new Map();

byId("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text || busy) return;
  field.value = "";
  grow();
  speak(text);
});
field.addEventListener("input", grow);
field.addEventListener("keydown", (event) => {
  // An input method uses Enter to choose characters: that is no message yet.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("composer").requestSubmit();
});
byId("new").addEventListener("click", () => open(null));
window.addEventListener("hashchange", () => open(decodeURIComponent(location.hash.slice(1)) || null));
tabs.addEventListener("message", refresh);
// Small talk changes no memory, so no event tells of it: whoever comes back to the page sees it then.
document.addEventListener("visibilitychange", refresh);
begin({
  onEvent: (event) => {
    gone ||= event.event_type === "MEMORY_FORGOTTEN";
    refresh();
  },
  onReset: refresh,
});
field.focus();

async function bringUpToDate() {
  const [state] = await Promise.all([call("/v1/memory/state"), showTurns(), showSessions()]);
  await learn(keysOf(state));
  showState(byId("held"), state);
  fill(byId("state-version"), word("version", state.version));
}

function open(chosen) {
  if (busy || chosen === session) return hidden();
  session = chosen;
  fresh = true;
  takeOffer();
  history.replaceState(null, "", session === null ? location.pathname : `#${encodeURIComponent(session)}`);
  hidden();
  attempt(bringUpToDate);
  field.focus();
}

function grow() {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 200)}px`;
}

async function showSessions() {
  const { sessions } = await call("/v1/memory/sessions");
  const rows = sessions.filter((one) => one.session !== "corrections" && !one.session.startsWith("handles/")).map((one) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#${encodeURIComponent(one.session)}`, "aria-current": one.session === session ? "true" : null },
        el("span.opening", {}, one.opening),
        el("span.faint", {}, day(one.last_at)),
      ),
    ),
  );
  fill(byId("sessions"), rows.length ? rows : el("li.faint", {}, word("noConversations")));
}

/** Show the turns of the conversation, unless they are on the page already. */
async function showTurns() {
  if (busy) return;
  if (session === null) {
    if (fresh) fill(talk, welcome());
    fresh = false;
    return;
  }
  const asked = session;
  const { turns, before } = await call(`/v1/memory/turns?limit=200&session=${encodeURIComponent(asked)}`);
  if (busy || asked !== session) return;
  const there = new Set(turns.map((turn) => turn.id));
  const anew = fresh || gone || [...shown.keys()].some((id) => !there.has(id));
  const staying = fresh ? [] : unrecorded(talk, there);
  if (anew) {
    shown.clear();
    fill(talk, before && el("a.faint", { href: "/memory" }, word("older")));
  }
  // What was said before is not read out again.
  talk.setAttribute("aria-busy", String(anew));
  const grown = turns.filter((turn) => !shown.has(turn.id)).map(place).length;
  if (anew) talk.append(...staying);
  talk.setAttribute("aria-busy", "false");
  fresh = gone = false;
  if (grown) toEnd();
}

/** Show a turn, or find it among what this tab has shown while it was said. */
function place(turn) {
  const own = turn.role === "assistant" ? `[data-answer="${turn.answer?.answer_id}"]` : `[data-message="${CSS.escape(turn.external_id)}"]`;
  const found = talk.querySelector(own);
  const element = found ?? shownTurn(turn);
  if (found === null) talk.append(element);
  else if (turn.role !== "assistant") element.append(footOf(turn));
  shown.set(turn.id, element);
}

function welcome() {
  const tries = ["try1", "try2", "try3"].map((key) =>
    el("button.soft", { type: "button", click: () => { field.value = word(key); grow(); field.focus(); } }, word(key)),
  );
  return el("div.welcome", {}, el("h2", {}, word("welcomeTitle")), el("p", {}, word("welcome")), el("div.tries", {}, tries));
}

function shownTurn(turn) {
  if (turn.role !== "assistant") return userTurn(turn.text, turn);
  const block = answerBlock();
  release(block, turn.answer ?? { text: turn.text, claims: [], citations: [] });
  finish(block, turn.answer ?? { mode: null, abstained: false }, turn.observed_at);
  return block;
}

function userTurn(text, turn = null) {
  return el("div.said", {}, el("span.hidden", {}, `${word("you")}: `), el("p.text", {}, text), turn && footOf(turn));
}

function footOf(turn) {
  return el("p.foot.faint", {}, el("time", { datetime: turn.observed_at }, clock(turn.observed_at)), " ", turnLink(turn.id));
}

function speak(text) {
  if (busy) return;
  attempt(() => say(text, crypto.randomUUID()));
  field.focus();
}

async function say(text, id, asked = takeOffer()) {
  // What was said before must be there first: shown later, it would take the place of this.
  if (fresh && session !== null) await showTurns().catch(() => {});
  busy = true;
  byId("send").disabled = true;
  if (session === null) fill(talk);
  const block = answerBlock();
  block.classList.add("waiting");
  fill(block.querySelector(".foot"), word("thinking"));
  const mine = userTurn(text);
  mine.dataset.message = id;
  talk.append(mine, block);
  toEnd();
  const done = await answered(text, id, block, asked).catch((error) => ({ error: error instanceof Problem && error.status ? error.message : word("lost") }));
  block.classList.remove("waiting");
  busy = false;
  byId("send").disabled = false;
  if (done?.answered) {
    finish(block, done, new Date().toISOString());
    for (const one of done.mode === "forgetting" ? [mine, block] : []) one.classList.add("unrecorded");
  } else {
    block.replaceWith(failure(done?.error ?? word("lost"), () => attempt(() => say(text, id, asked)), mine));
  }
  toEnd();
  tabs.postMessage("said");
  if (done?.answered) refresh();
}

/** What is shown in the place of an answer that did not come. */
function failure(reason, sayAgain, mine) {
  const again = () => {
    mine.remove();
    told.remove();
    fresh = true;
    sayAgain();
  };
  const told = el(
    "div.problem",
    { role: "alert" },
    el("strong", {}, word("failed")),
    el("p", {}, reason),
    el("button.soft", { type: "button", click: again }, word("again")),
  );
  return told;
}

/** Read the stream of an answer into its block; gives what `done` says. */
async function answered(text, id, block, asked) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const body = { message: text, session, message_id: id, time_zone: timeZone, forgetting: asked?.what };
  let done = null;
  let error = null;
  for await (const event of eventsOf(await request("/v1/chat", { body }))) {
    if (event.type === "start" && session === null) begun(event.data.session);
    else if (event.type === "sentence") {
      release(block, event.data);
      toEnd();
    } else if (event.type === "forget") offer(block, event.data, speak);
    else if (event.type === "forgotten") {
      gone = true;
      forgotten(asked, event.data);
    } else if (event.type === "error") error = sentenceOf(event.data);
    else if (event.type === "done") done = event.data;
  }
  return error === null ? done : { error };
}

function begun(name) {
  session = name;
  fresh = false;
  shown.clear();
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
}

function finish(block, answer, at) {
  if (answer.answer_id) block.dataset.answer = answer.answer_id;
  block.classList.toggle("abstained", answer.abstained);
  const how = { floor: word("byFloor"), model: word("byModel") }[block.querySelector(".mark") && answer.mode];
  const why = answer.answer_id && el("button.link", { type: "button", click: () => attempt(() => showWhy(answer.answer_id)) }, word("why"));
  fill(
    block.querySelector(".foot"),
    answer.abstained ? el("span.label", {}, word("abstained")) : answer.mode === "forgetting" ? word("unrecorded") : how,
    el("time", { datetime: at }, clock(at)),
    why,
  );
}

function toEnd() {
  talk.lastElementChild?.scrollIntoView({ block: "end" });
}
