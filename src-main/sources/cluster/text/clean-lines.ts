/** A line of a text without what a terminal or an editor put around it; `number` is 1-based, in the text as it was given. */
export type TextLine = { readonly text: string; readonly number: number };

/** Characters of a line that are read as part of an object; a log line is scanned whole. */
export const longestLine = 16_384;

const escapeCode = String.fromCharCode(0x1b);
const bell = String.fromCharCode(7);
/** Colours, cursor movements and window titles (ECMA-48), then other control characters but the tab. */
const terminal = new RegExp(
  `${escapeCode}\\[[0-?]*[ -/]*[@-~]|${escapeCode}\\][^${bell}${escapeCode}]*(?:${bell}|${escapeCode}\\\\)?|${escapeCode}[()][A-Z0-9]|${escapeCode}.`,
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const control = /[\u0000-\u0008\u000b-\u001f\u007f\ufeff\u200b]/g;
const numbered = /^\s*(\d{1,7})(?:\s?[|:│→]\s?|\t|\s{2})(.*)$/;

/** Returns a function that cleans one line after the other, and remembers whether they are numbered. */
export function createCleaner(): (line: string) => string {
  let last: number | undefined;
  let isNumbered = false;
  return (line) => {
    let text = line;
    if (text.includes(escapeCode)) text = text.replace(terminal, '');
    text = text.replace(control, '').replaceAll('\u00a0', ' ');
    // Quoted in a mail or a thread.
    const quoted = /^(?:>\s?)+(?=\S|\s|$)/.exec(text);
    if (quoted !== null && !/^>\s*(?:kubectl|oc|k)\s/.test(text)) text = text.slice(quoted[0].length);
    const own = numbered.exec(text);
    const number = own === null ? undefined : Number(own[1]);
    const follows = number !== undefined && (number === 1 || (last !== undefined && number === last + 1));
    isNumbered = follows && (isNumbered || number === 1 || last !== undefined);
    last = number;
    return (isNumbered ? (own?.[2] ?? text) : text).trimEnd();
  };
}

/** A Markdown fence, which begins or ends a block. */
export const isFence = (text: string): boolean => /^\s*(?:```|~~~)/.test(text);
