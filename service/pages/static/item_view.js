/** Items of the memory: a chip, a row with its bar, and the page of one with its history and what can be done with it. */

import { call } from "./api.js";
import { el } from "./dom.js";
import { quotation, turnLink } from "./evidence.js";
import { forgetDialog } from "./forgetting.js";
import { learn, nameOf } from "./names.js";
import { attempt, dialog, notice } from "./shell.js";
import { axisOf, bar, said, stateOf } from "./validity.js";
import { word } from "./words.js";

/**
 * What an item says, in few words.
 * @param {any} item
 */
export function meaning(item) {
  if (item.kind === "todo" || item.kind === "question") return item.quote;
  return item.polarity === "negative" ? `${word("not")} ${item.value}` : item.value;
}

/**
 * A small button that opens an item.
 * @param {any} item
 */
export function chip(item) {
  const name = ["todo", "question"].includes(item.kind) ? word(`k_${item.kind}`) : nameOf(item.attribute);
  return el(
    "button.chip",
    { type: "button", "data-state": stateOf(item), title: said(item), click: () => attempt(() => openItem(item.id)) },
    el("span.key", {}, name),
    el("span.value", {}, meaning(item)),
  );
}

/**
 * A version of a value with the bar of its validity.
 * @param {any} item
 * @param {{begin: number, end: number}} axis
 * @param {boolean} [openable]
 */
export function versionRow(item, axis, openable = true) {
  const value = openable
    ? el("button.link.value", { type: "button", click: () => attempt(() => openItem(item.id)) }, meaning(item))
    : el("span.value", {}, meaning(item));
  return el(
    "li.version",
    { "data-state": stateOf(item) },
    value,
    bar(item, axis),
    el("span.faint.line", {}, el("span", {}, said(item)), turnLink(item.turn_id)),
  );
}

/**
 * Show one item, its history, and what can be done with it.
 * @param {string} id
 */
export async function openItem(id) {
  const { item, turn, versions } = await call(`/v1/memory/items/${id}`);
  await learn([item.attribute]);
  const axis = axisOf(versions);
  const shown = dialog(
    `${item.entity === "user" ? "" : `${item.entity_name} · `}${nameOf(item.attribute)}`,
    el("p.big", { "data-state": stateOf(item) }, meaning(item)),
    el("p.faint", {}, `${word(`k_${item.kind}`)} · ${item.id} · ${said(item)}`),
    quotation({ quote: turn.text, speaker: turn.speaker, observed_at: turn.observed_at, source: turn.source, turn_id: turn.id }),
    versions.length > 1 && el("section", {}, el("h3", {}, word("history")), el("ol.plain.versions", {}, versions.map((one) => versionRow(one, axis, false)))),
    el(
      "div.actions",
      {},
      item.live && el("button.soft", { type: "button", click: () => again(() => correctDialog(item)) }, word("correct")),
      item.live && el("button.soft", { type: "button", click: () => again(() => retractDialog(item)) }, word("retract")),
      el("button.soft.danger", { type: "button", click: () => again(() => forgetDialog("turn", item.turn_id)) }, word("forgetMore")),
    ),
  );
  const again = (next) => {
    shown.close();
    next();
  };
}

function correctDialog(item) {
  const field = el("input", { id: "right-value", required: true, maxlength: 2000, value: item.value });
  asked(word("correctTitle"), word("correctText"), word("save"), [el("label", { for: "right-value" }, word("rightValue")), field], async () => {
    await call(`/v1/memory/items/${item.id}/correct`, { body: { value: field.value } });
    notice(word("saved"));
  });
  field.select();
}

function retractDialog(item) {
  asked(word("retractTitle"), word("retractText"), word("retract"), [el("p.big", {}, meaning(item))], async () => {
    await call(`/v1/memory/items/${item.id}/retract`, { method: "POST" });
    notice(word("saved"));
  });
}

function asked(title, text, verb, content, then) {
  const form = el(
    "form.stack",
    {},
    el("p", {}, text),
    content,
    el("div.actions", {}, el("button.soft", { type: "button", click: () => shown.close() }, word("cancel")), el("button.primary", { type: "submit" }, verb)),
  );
  const shown = dialog(title, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await then();
      shown.close();
    });
  });
}
