import type { LogFile } from './log-archive.ts';

const mega = 1024 * 1024;

/** A job's whole log, by the name that the code host gives it: `0_build.txt`. */
const jobFile = /^(\d+)_[^/]*\.txt$/;
/** One step's part of it: `build/3_Run tests.txt`. */
const stepFile = /^(.+)\/(\d+)_[^/]*\.txt$/;

/** Control characters but tab and newline, the escape by which the reader colours, and the bell that ends some sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is what it is for.
const controls = /[\0-\x06\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** The files that are shown, in their order: whole jobs, or the steps where there are no jobs; both would be all twice. */
export function shownFiles(files: readonly LogFile[]): LogFile[] {
  const jobs = files.filter(({ name }) => jobFile.test(name));
  const shown = jobs.length > 0 ? jobs : files.filter(({ name }) => name.endsWith('.txt'));
  return shown.toSorted((a, b) => {
    const [folderA, numberA] = orderOf(a.name);
    const [folderB, numberB] = orderOf(b.name);
    if (folderA !== folderB) return folderA < folderB ? -1 : 1;
    if (numberA !== numberB) return numberA - numberB;
    return a.name < b.name ? -1 : 1;
  });
}

function orderOf(name: string): [folder: string, number: number] {
  const job = jobFile.exec(name);
  if (job !== null) return ['', Number(job[1])];
  const step = stepFile.exec(name);
  // What has no number, such as `build/system.txt`, comes after what has one.
  return step === null
    ? [name.split('/').slice(0, -1).join('/'), Number.POSITIVE_INFINITY]
    : [step[1] ?? '', Number(step[2])];
}

/**
 * Files as one text, each under a line with its name, `most` bytes of it at most. What is wrong with one ends the text
 * with a line that says so. Throws only when `signal` aborts.
 */
export async function* logText(
  files: readonly LogFile[],
  most: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let left = most;
  let atLineStart = true;
  for await (const text of wholeText(files, signal)) {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) {
      const cut = firstBytes(text, left);
      yield cut;
      if (cut !== '') atLineStart = cut.endsWith('\n');
      yield `${atLineStart ? '' : '\n'}${cutLine(files, most)}`;
      return;
    }
    left -= bytes;
    if (text === '') continue;
    atLineStart = text.endsWith('\n');
    yield text;
  }
}

function cutLine(files: readonly LogFile[], most: number): string {
  const all = files.reduce((sum, { size }) => sum + size, 0);
  // Bytes that are no text take more room as text: there may seem to be less than is shown.
  const of = all > most ? `${Math.ceil(all / mega).toLocaleString('en-GB')} MB` : 'it';
  return `[The log goes on: ${Math.round(most / mega)} MB of ${of} are shown.]\n`;
}

/** The start of a text that fits into so many bytes, without half a character at its end. */
function firstBytes(text: string, bytes: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), {
    stream: true,
  });
}

async function* wholeText(files: readonly LogFile[], signal: AbortSignal): AsyncGenerator<string> {
  if (files.length === 0) yield '[The archive holds no log.]\n';
  let atLineStart = true;
  for (const file of files) {
    const name = file.name.replaceAll(/\p{Cc}/gu, ' ');
    yield `${atLineStart ? '' : '\n'}==> ${name} <==\n`;
    atLineStart = true;
    let trouble: string | undefined;
    const decoder = new TextDecoder();
    try {
      let left = file.size;
      for await (const bytes of await file.open(signal)) {
        const text = cleaned(decoder.decode(bytes.subarray(0, left), { stream: true }));
        if (text !== '') {
          atLineStart = text.endsWith('\n');
          yield text;
        }
        left -= bytes.length;
        if (left < 0) {
          trouble = 'holds more than the archive says it does, so the archive is not trusted';
          break;
        }
      }
      if (left > 0) trouble = 'is shorter than the archive says: its end is missing';
    } catch {
      signal.throwIfAborted();
      trouble = 'is damaged from here on';
    }
    const rest = cleaned(decoder.decode());
    if (rest !== '') {
      atLineStart = false;
      yield rest;
    }
    if (trouble !== undefined) {
      yield `${atLineStart ? '' : '\n'}[The log ends here: ${name} ${trouble}.]\n`;
      return;
    }
  }
}

function cleaned(text: string): string {
  return text.replace(controls, '');
}
