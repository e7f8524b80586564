/** Forgetting: what is meant, what would go, and only then the confirmation and the report on the files. */

import { call } from "./api.js";
import { el, fill } from "./dom.js";
import { speaker, turnLink } from "./evidence.js";
import { moment } from "./moments.js";
import { attempt, dialog, notice } from "./shell.js";
import { word } from "./words.js";

const KINDS = ["turn", "value", "entity", "session", "source", "all"];

/**
 * Ask what is to be forgotten, show what would go, and forget it when that is confirmed.
 * @param {string} [kind] chosen beforehand
 * @param {string} [name]
 */
export function forgetDialog(kind = "value", name = "") {
  const what = el("select", { id: "forget-kind" }, KINDS.map((one) => el("option", { value: one, selected: one === kind }, word(`k_${one}`))));
  const which = el("input", { id: "forget-name", value: name, maxlength: 2000, autocomplete: "off", list: "forget-names" });
  const known = el("datalist", { id: "forget-names" });
  const named = el("label", { for: "forget-name" }, word("whichOne"));
  const planned = el("div.planned", { "aria-live": "polite" });
  const chosen = () => ({ kind: what.value, names: what.value === "all" ? [] : [which.value.trim()] });
  const form = el(
    "form.stack",
    {},
    el("p", {}, word("forgetText")),
    el("label", { for: "forget-kind" }, word("what")),
    what,
    named,
    which,
    known,
    el("button.soft", { type: "submit" }, word("show")),
    planned,
  );
  const shown = dialog(word("forgetTitle"), form);
  const look = () => attempt(async () => showPlan(planned, shown, chosen(), await call("/v1/memory/forget/preview", { body: chosen() })));
  const changed = () => {
    named.hidden = which.hidden = what.value === "all";
    which.required = !which.hidden;
    fill(planned);
    attempt(async () => fill(known, (await namesOf(what.value)).map((value) => el("option", { value }))));
  };
  what.addEventListener("change", changed);
  which.addEventListener("input", () => fill(planned));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  changed();
  if (name) look();
  else which.focus();
}

/** The names that a kind of thing can have here, as far as they are few. */
async function namesOf(kind) {
  if (kind === "session") return (await call("/v1/memory/sessions")).sessions.map((one) => one.session);
  if (kind === "entity") return [...new Set((await call("/v1/memory/items?limit=500")).items.map((item) => item.entity))];
  return kind === "source" ? ["user_input", "ai_generated", "external_knowledge"] : [];
}

function showPlan(planned, shown, chosen, plan) {
  const turns = [...plan.turns.map((turn) => [turn, false]), ...plan.echoes.map((turn) => [turn, true])];
  if (turns.length === 0 && plan.documents === 0) {
    fill(planned, el("p", {}, word("goesNothing")));
    return;
  }
  const sure = el("button.primary.danger", { type: "button", click: () => attempt(() => forget(sure, shown, chosen)) }, word("forgetDo"));
  fill(
    planned,
    el("h3", {}, word("goes")),
    el("p.faint", {}, word("goesCount", turns.length, plan.items, plan.documents)),
    el("ul.plain.going", {}, turns.slice(0, 100).map(([turn, echo]) => going(turn, echo))),
    el("div.actions", {}, el("button.soft", { type: "button", click: () => shown.close() }, word("cancel")), sure),
  );
  shown.scrollTop = shown.scrollHeight;
}

function going(turn, echo) {
  const note = echo && el("span.tag", {}, word("echo"));
  return el("li", {}, el("p", {}, turn.text), el("p.faint.line", {}, speaker(turn.speaker), " ", moment(turn.observed_at), " ", turnLink(turn.id), note));
}

async function forget(button, shown, chosen) {
  button.disabled = true;
  const report = await call("/v1/memory/forget", { body: chosen }).finally(() => {
    button.disabled = false;
  });
  shown.close();
  if (report.clean) notice(word("forgotten", report.turns.length, report.items.length, report.scanned.length));
  noticeWhatIsLeft(report);
}

/**
 * Say what a forgetting could not take, or what others say by themselves.
 * @param {any} report
 */
export function noticeWhatIsLeft(report) {
  const left = [...report.residue.map((one) => `${one.file}: ${one.form}`), ...report.problems];
  if (!report.clean) notice(word("forgottenLeft", report.turns.length, left.join(", ")), "bad");
  if (report.still_said.length) notice(word("stillSaid", report.still_said.join(", ")));
}
