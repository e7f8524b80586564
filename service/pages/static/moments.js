/** Days and times as people write them. */

import { language } from "./words.js";

const locale = () => (language() === "zh" ? "zh-CN" : "en-GB");

/**
 * A day and a time.
 * @param {string | null} iso
 * @returns {string}
 */
export function moment(iso) {
  return iso ? new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso)) : "";
}

/**
 * A day.
 * @param {string | null} iso
 * @returns {string}
 */
export function day(iso) {
  return iso ? new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(iso)) : "";
}

/**
 * A time of the day.
 * @param {string | null} iso
 * @param {boolean} [seconds]
 * @returns {string}
 */
export function clock(iso, seconds = false) {
  return iso ? new Intl.DateTimeFormat(locale(), { timeStyle: seconds ? "medium" : "short" }).format(new Date(iso)) : "";
}
