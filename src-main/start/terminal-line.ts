import { styleText } from 'node:util';
import { z } from 'zod';
import { capitalised } from '#shared/text.ts';

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string() }).optional(),
});

const levels = [
  { least: 60, word: 'fatal', colour: 'red' },
  { least: 50, word: 'error', colour: 'red' },
  { least: 40, word: 'warn', colour: 'yellow' },
  { least: 30, word: 'info', colour: 'cyan' },
  { least: 0, word: 'debug', colour: 'gray' },
] as const;

/** Fields every line has, which a terminal leaves out. */
const usual = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname']);

/**
 * Formats a line of the JSON log for a person: time, level, message, then its other fields. Stacks are in the
 * log file.
 */
export function terminalLine(json: string, colours: boolean): string {
  const line = parsed(json);
  if (line === undefined) return json.endsWith('\n') ? json : `${json}\n`;
  const { word, colour } = levels.find(({ least }) => line.level >= least) ?? levels[4];
  const clock = new Date(line.time).toTimeString().slice(0, 8);
  const level = colours ? styleText(colour, word.padEnd(5), { validateStream: false }) : word.padEnd(5);
  const cause = line.err === undefined ? '' : `: ${line.err.message}`;
  const more = Object.entries(line)
    .filter(([name]) => !usual.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const words = `${capitalised(line.msg ?? '')}${cause}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  // A control character in a message could move the cursor or colour the terminal.
  return `${clock} ${level} ${words.replace(/\p{Cc}+/gu, ' ')}\n`;
}

function parsed(json: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
