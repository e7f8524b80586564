/** What the pages say, in English and Chinese. */

const CHOICE = "veridical.language";

const EN = {
  chat: "Chat", memory: "Memory", console: "Console", skip: "Skip to the content", other: "中文", otherLabel: "中文：切换语言",
  live: "Live", away: "Reconnecting", pages: "Pages",
  signTitle: "Who is there?", signText: "This service asks for a token. It stays in this tab and is gone when you close it.",
  token: "Token", open: "Open", signWrong: "That token is not valid. Try another.",
  signHint: "`veridical token create` makes one.",
  conversations: "Conversations", newChat: "New conversation", noConversations: "None yet.", close: "Close",
  message: "Message", placeholder: "Tell me something, or ask", send: "Send", thinking: "Looking it up",
  conversation: "Conversation", you: "You", assistant: "Veridical",
  welcomeTitle: "A memory that does not make things up",
  welcome: "What you tell me is kept word for word. When I answer, the words it rests on stand beside each sentence. What is not in the records, I say so.",
  try1: "My budget is 48,500 dollars and I live in Oslo.", try2: "Remind me to send the report on Friday.", try3: "What is my budget?",
  abstained: "Not in your records", byFloor: "quoted from your records", byModel: "worded by a model, checked against your records",
  noted: "from the conversation", why: "Why this answer", evidence: "Evidence", evidenceFor: "Evidence {0}", source: "Source",
  user_input: "your words", ai_generated: "the assistant's words", external_knowledge: "document or service", verified: "checked",
  failed: "This did not work", again: "Send again", lost: "The connection was lost. What you said is kept; send it again to see the answer.",
  holds: "What is remembered", version: "version {0}", intents: "Errands", facts: "Facts", todos: "To do", questions: "Open questions",
  agreements: "Agreements", conflicts: "Replaced", anchors: "Documents", topic: "Talking about", due: "due {0}", since: "since {0}",
  tentative: "only asked", not: "not", intended: "planned", possible: "possibly", nothingHeld: "Nothing yet. What you state appears here, with the words it came from.",
  instead: "{0} instead of {1}", rule: "rule: {0}",
  whyTitle: "How this answer came about", howFound: "How this was found", asked: "Asked", searched: "Searched for", kept: "Kept", dropped: "Left out, by rule", claims: "Checked claims",
  supported: "supported", unsupported: "not in evidence", contradicted: "differs from evidence", nothing: "nothing", score: "score {0}",
  timeline: "Timeline", factsTab: "Facts", summaries: "Summaries", searchTab: "Search", views: "Views",
  search: "Search the memory", searchDo: "Search", export: "Export", forget: "Forget", forgetMore: "Forget …",
  older: "Show earlier", latest: "Show the latest", noTurns: "Nothing was said yet.", noFacts: "No facts yet.", noSummaries: "No summaries yet. They are made when a talk ends, a decision falls or twenty turns have passed.",
  noResults: "Nothing was found.", results: "Results", queries: "Queries",
  live_item: "holds", change: "replaced", correction: "corrected: it never held", retraction: "retracted", completion: "done",
  until: "until {0}", from: "from {0}", only: "Only what holds",
  correct: "Correct", retract: "Retract", correctTitle: "Correct a value", rightValue: "What is right", save: "Save", cancel: "Cancel",
  correctText: "The old value stays in the history, marked as corrected.",
  retractTitle: "Retract this?", retractText: "It no longer holds, and nothing takes its place. It stays in the history.",
  history: "History", inTurn: "Said in {0}", notedFrom: "Noted",
  forgetTitle: "Forget for good", forgetText: "It leaves every layer and every file. This cannot be undone.",
  what: "What", whichOne: "Which one", show: "Show what would go", goes: "This would go", echo: "repeats it",
  goesCount: "{0} turns, {1} items, {2} documents", goesNothing: "Nothing is remembered of that.", forgetDo: "Forget for good",
  k_turn: "a turn", k_value: "a text", k_entity: "everything about", k_session: "a conversation", k_source: "a source or speaker", k_all: "everything",
  forgotten: "Forgotten. {0} turns and {1} items are gone; {2} files were searched, and nothing is left in them.",
  forgottenLeft: "{0} turns are gone, but something is left: {1}",
  keep: "Keep it", sayYes: "Yes.", sayNo: "No.", unrecorded: "not recorded",
  stillSaid: "Others say it by themselves, and stay: {0}",
  exported: "The memory was written to memory.jsonl.", saved: "Saved.", s_decisions: "Decisions", s_agreements: "Agreements", s_user_stated: "You stated",
  s_assistant_stated: "The assistant said", s_todos: "To do", s_choices: "Choices", s_open_questions: "Open questions", turnsTo: "{0} to {1}",
  k_fact: "fact", k_event: "event", k_todo: "to do", k_question: "question", k_choice: "choice", k_decision: "decision", k_agreement: "agreement",
  topology: "Who is connected", terminals: "Terminals", services: "Services", handles: "Handles", noServices: "none", more: "{0} more",
  configurations: "Ways of answering that are compared", configuration: "Configuration", default: "default", answers: "Answers", complaints: "Complaints", rate: "Complaints per answer", events: "Changes",
  consoleText: "Choose a handle to see its history, then a change to see what it was, what it became, who did it and when.",
  anyHandle: "all handles", anyTerminal: "all terminals", anyType: "all types", handle: "Handle", terminal: "Terminal", type: "Type", find: "Contains",
  clear: "Show all", lag0: "in step", lag: "{0} behind", lagUnknown: "never listened here", listening: "listening", notListening: "away", through: "through {0}",
  was: "Was", became: "Became", key: "What", unknown: "not in what is shown", gone: "gone", none: "–", nobody: "the service", eventText: "Change {0}",
  noEvents: "No changes.", byWhom: "By", when: "When", MEMORY_REGISTERED: "registered", MEMORY_UPDATED: "changed", MEMORY_EXPIRED: "expired", MEMORY_FORGOTTEN: "forgotten",
  memory_state: "working memory", forgottenEvent: "What it said was forgotten later.", leftTag: "forgot", leftText: "Something was forgotten here; this is what is left.", openTurn: "the words", changes: "{0} changes",
};

const ZH = {
  chat: "对话", memory: "记忆", console: "控制台", skip: "跳到正文", other: "English", otherLabel: "English: switch language",
  live: "实时", away: "正在重新连接", pages: "页面",
  signTitle: "请验证身份", signText: "此服务需要令牌。令牌只保存在本标签页中，关闭后即清除。",
  token: "令牌", open: "进入", signWrong: "令牌无效，请换一个。", signHint: "用 `veridical token create` 可生成令牌。",
  conversations: "历史对话", newChat: "新对话", noConversations: "暂无。", close: "关闭",
  message: "消息", placeholder: "说件事，或问起往事", send: "发送", thinking: "正在查找记录",
  conversation: "对话内容", you: "你", assistant: "Veridical",
  welcomeTitle: "不编造过去的记忆",
  welcome: "你说的话会逐字保留。回答时，每句话旁边都附上它所依据的原话。记录里没有的，我会直说。",
  try1: "我的预算是五万元，我住在杭州。", try2: "提醒我周五把报告发出去。", try3: "我的预算是多少？",
  abstained: "记录中没有", byFloor: "引自你的记录", byModel: "由模型措辞，已与记录核对", noted: "来自对话", why: "为什么这样回答",
  evidence: "依据", evidenceFor: "依据 {0}", source: "来源",
  user_input: "你的原话", ai_generated: "助手的话", external_knowledge: "文档或服务", verified: "已核对",
  failed: "操作未成功", again: "重新发送", lost: "连接中断。你说的话已保留，重新发送即可看到回答。",
  holds: "当前记得的", version: "第 {0} 版", intents: "进行中的事", facts: "事实", todos: "待办", questions: "未解答的问题",
  agreements: "约定", conflicts: "已被替换", anchors: "文档", topic: "正在谈论", due: "{0} 到期", since: "自 {0}",
  tentative: "仅询问", not: "非", intended: "打算", possible: "可能", nothingHeld: "暂时没有。你说出的事实会连同原话出现在这里。",
  instead: "以 {0} 取代 {1}", rule: "规则：{0}",
  whyTitle: "这个回答的由来", howFound: "检索过程", asked: "问题", searched: "检索词", kept: "保留", dropped: "按规则排除", claims: "核对过的说法",
  supported: "有依据", unsupported: "依据中没有", contradicted: "与依据不同", nothing: "无", score: "得分 {0}",
  timeline: "时间线", factsTab: "事实", summaries: "摘要", searchTab: "搜索", views: "视图",
  search: "搜索记忆", searchDo: "搜索", export: "导出", forget: "忘记", forgetMore: "忘记……",
  older: "显示更早的", latest: "显示最新的", noTurns: "还没有说过什么。", noFacts: "还没有事实。", noSummaries: "还没有摘要。对话结束、做出决定或满二十轮时会生成。",
  noResults: "没有找到。", results: "结果", queries: "检索词",
  live_item: "有效", change: "已被取代", correction: "已更正：从未成立", retraction: "已撤回", completion: "已完成",
  until: "至 {0}", from: "自 {0}", only: "只看有效的",
  correct: "更正", retract: "撤回", correctTitle: "更正一个值", rightValue: "正确的值", save: "保存", cancel: "取消",
  correctText: "旧值会留在历史中，并标为已更正。", retractTitle: "要撤回吗？", retractText: "它不再成立，也没有别的取代它。它仍留在历史中。",
  history: "历史", inTurn: "出自 {0}", notedFrom: "记下",
  forgetTitle: "永久忘记", forgetText: "它将从每一层、每个文件中消失，且无法恢复。",
  what: "忘记什么", whichOne: "具体是", show: "看看会删除什么", goes: "将会删除", echo: "复述了它",
  goesCount: "{0} 条话语、{1} 个条目、{2} 份文档", goesNothing: "记忆中没有这些内容。", forgetDo: "永久忘记",
  k_turn: "某条话语", k_value: "某段文字", k_entity: "与之有关的一切", k_session: "某次对话", k_source: "某个来源或说话人", k_all: "全部",
  forgotten: "已忘记。{0} 条话语和 {1} 个条目已删除；检查了 {2} 个文件，没有任何残留。",
  forgottenLeft: "{0} 条话语已删除，但仍有残留：{1}",
  keep: "保留", sayYes: "是的。", sayNo: "不。", unrecorded: "不记入记忆",
  stillSaid: "另有内容本身也这样说，予以保留：{0}",
  exported: "记忆已写入 memory.jsonl。", saved: "已保存。", s_decisions: "决定", s_agreements: "约定", s_user_stated: "你说过",
  s_assistant_stated: "助手说过", s_todos: "待办", s_choices: "选项", s_open_questions: "未解答的问题", turnsTo: "{0} 至 {1}",
  k_fact: "事实", k_event: "事件", k_todo: "待办", k_question: "问题", k_choice: "选择", k_decision: "决定", k_agreement: "约定",
  topology: "谁在连接", terminals: "终端", services: "服务", handles: "句柄", noServices: "无", more: "还有 {0} 个",
  configurations: "正在比较的回答方式", configuration: "配置", default: "默认", answers: "回答", complaints: "投诉", rate: "每次回答的投诉率", events: "变更",
  consoleText: "选一个句柄看它的历史，再选一条变更，就能看到原来是什么、变成了什么、谁在何时改的。",
  anyHandle: "全部句柄", anyTerminal: "全部终端", anyType: "全部类型", handle: "句柄", terminal: "终端", type: "类型", find: "包含",
  clear: "显示全部", lag0: "已同步", lag: "落后 {0} 条", lagUnknown: "未在此监听过", listening: "监听中", notListening: "离线", through: "经由 {0}",
  was: "原来", became: "变为", key: "内容", unknown: "不在已显示的范围内", gone: "已移除", none: "–", nobody: "服务自身", eventText: "变更 {0}",
  noEvents: "没有变更。", byWhom: "由谁", when: "何时", MEMORY_REGISTERED: "登记", MEMORY_UPDATED: "更改", MEMORY_EXPIRED: "过期", MEMORY_FORGOTTEN: "忘记",
  memory_state: "工作记忆", forgottenEvent: "其内容后来被忘记了。", leftTag: "忘记了", leftText: "此时有内容被忘记，这里是留下的。", openTurn: "原话", changes: "{0} 次变更",
};

/** The language of the page: the one that was chosen, else the browser's. */
export function language() {
  const chosen = localStorage.getItem(CHOICE);
  if (chosen === "en" || chosen === "zh") return chosen;
  const first = navigator.languages.find((name) => /^(zh|en)\b/i.test(name)) ?? "en";
  return first.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/**
 * Read the page in another language from now on.
 * @param {"en" | "zh"} chosen
 */
export function choose(chosen) {
  localStorage.setItem(CHOICE, chosen);
}

/**
 * A word or sentence, with values in the places of `{0}`, `{1}`.
 * @param {string} key
 * @param {...any} values
 * @returns {string}
 */
export function word(key, ...values) {
  const text = (language() === "zh" ? ZH : EN)[key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, place) => String(values[Number(place)]));
}

/**
 * Whether there is a word for a key.
 * @param {string} key
 */
export function knows(key) {
  return key in EN;
}

/**
 * Write the words into a page: `data-word` names a text, `data-label` and `data-hint` an attribute's.
 * @param {ParentNode} [root]
 */
export function translate(root = document) {
  document.documentElement.lang = language() === "zh" ? "zh-Hans" : "en";
  for (const found of root.querySelectorAll("[data-word]")) found.textContent = word(found.dataset.word);
  for (const found of root.querySelectorAll("[data-label]")) found.setAttribute("aria-label", word(found.dataset.label));
  for (const found of root.querySelectorAll("[data-hint]")) found.setAttribute("placeholder", word(found.dataset.hint));
}
