/** Problems in the language of the page: the service tells each by a type that stays, and one English sentence. */

import { language } from "./words.js";

const TYPES = "urn:veridical:problem:";
const ZH = {
  "stale-version": "它刚刚被别处改过：请刷新后再改。",
  "key-reused": "同一个请求编号已用于别的请求：请刷新页面后重试。",
  "session-of-another": "这次对话属于另一位用户：请打开别的对话，或开始新对话。",
  "not-found": "没有找到 {given}：它可能已被忘记，或编号有误。",
  "unknown-user": "这里没有该用户的记忆：请检查令牌属于哪位用户。",
  "already-closed": "它已经不再有效，无法更改：请查看它的历史，更改目前有效的那一条。",
  "same-value": "新的值为空，或与原来的相同：请填写正确的值。",
  "unknown-time-zone": "服务不认识这台设备的时区：请在系统设置中选择标准时区，例如 Asia/Shanghai。",
  "embedder-failed": "向量模型没有响应，已记录的内容都在：请稍后重试，或联系服务的管理员。",
  "store-busy": "数据库正忙，没有任何更改：请稍后重试。",
  "store-unusable": "数据目录目前无法使用：请联系服务的管理员。",
  "no-token": "需要有效的令牌：用 `veridical token create` 可生成令牌。",
  "other-host": "此服务只接受本机名称的访问：请改用 127.0.0.1 或 localhost 打开。",
  "too-often": "请求过于频繁：请稍等片刻再试。",
  "too-large": "内容太大：请分几次发送。",
  "not-understood": "服务无法理解这个请求：请检查填写的内容，或刷新页面后重试。",
  "no-page": "没有这个页面：请从上方的导航进入。",
  "not-served": "服务没有这个功能：请刷新页面后重试。",
  fault: "服务出了故障，已记录的内容都在：请重新发送；仍不成功时请联系管理员。",
};

/**
 * What a problem says, as far as the page knows it in its language; else the sentence of the service.
 * @param {{type?: string, detail?: string, [member: string]: any}} problem
 * @returns {string | undefined}
 */
export function sentenceOf(problem) {
  const known = language() === "zh" ? ZH[problem.type?.replace(TYPES, "")] : undefined;
  return known?.replace(/\{(\w+)\}/g, (_, member) => problem[member] ?? "") ?? problem.detail;
}
