/** How grave a line is, by what its program wrote. */
export type LogLevel = 'error' | 'warning' | 'debug';

/** Characters of a line in which its level is looked for. */
const judged = 240;

const levels: readonly (readonly [LogLevel, RegExp])[] = [
  ['error', /^(?:err(?:or)?|fatal|panic|crit(?:ical)?|alert|emerg(?:ency)?|5\d|6\d)$/i],
  ['warning', /^(?:warn(?:ing)?|4\d)$/i],
  ['debug', /^(?:debug|trace|verbose|[12]\d)$/i],
];

/** Names of a level in JSON and logfmt, such as `"level":50` or `lvl=warn`. */
const named = /\b(?:level|lvl|severity)"?\s?[=:]\s?"?([a-z]+|\d\d)\b/i;

/** The letter klog begins a line with, behind the name of a container, and of its pod, where several are read: `E1122 10:00:00.1`. */
const klog = /^(?:[\w./-]+ )?([EFW])\d{4} \d\d:\d\d:\d\d/;

/** A level as a word of its own in capitals. In running text the word alone says little: "no error". */
const capitals = /\b(FATAL|PANIC|CRITICAL|ERROR|ERR|WARNING|WARN|DEBUG|TRACE)\b/;

/** A level in brackets, or at the begin of the line. */
const marked =
  /[[<](fatal|error|warning|warn|debug|trace)[\]>]|^(?:[\w./-]+ )?(fatal|panic|error|warning|warn):/i;

/** Returns the level of a line, without its time; undefined for any other line. */
export function levelOf(message: string): LogLevel | undefined {
  const text = message.slice(0, judged);
  const byKlog = klog.exec(text)?.[1];
  if (byKlog !== undefined) return byKlog === 'W' ? 'warning' : 'error';
  const byMark = marked.exec(text);
  const name = named.exec(text)?.[1] ?? capitals.exec(text)?.[1] ?? byMark?.[1] ?? byMark?.[2];
  return name === undefined ? undefined : levels.find(([, pattern]) => pattern.test(name))?.[0];
}
