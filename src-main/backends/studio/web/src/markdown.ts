/** A run of text inside a block. */
export type Inline = { readonly kind: 'text' | 'bold' | 'code'; readonly text: string };

/** A block of an answer. Anything that is not in this subset stays the text it is. */
export type Block =
  | { readonly kind: 'heading'; readonly inline: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inline: readonly Inline[] }
  | {
      readonly kind: 'numbered' | 'bulleted';
      readonly start: number;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: 'code'; readonly text: string };

const headingLine = /^#{1,6}\s+(.*?)\s*#*$/;
const numberedLine = /^\s{0,3}(\d{1,3})[.)](?:\s+(.*))?$/;
const bulletedLine = /^\s*[-*+](?:\s+(.*))?$/;
const fenceLine = /^\s*```/;

/**
 * Reads the subset of Markdown an answer is written in: headings, numbered and bulleted lists, bold, code. Text that
 * still grows reads the same, up to its last line. There is no HTML and there are no links: an answer is display text.
 */
export function readMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let list: { kind: 'numbered' | 'bulleted'; start: number; items: string[] } | undefined;
  let code: string[] | undefined;
  const end = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', inline: readInline(lines.join(' ')) });
    if (list !== undefined && list.items.length > 0)
      blocks.push({ ...list, items: list.items.map(readInline) });
    lines = [];
    list = undefined;
  };
  const addItem = (kind: 'numbered' | 'bulleted', start: number, text: string) => {
    if (lines.length > 0 || list?.kind !== kind) end();
    list ??= { kind, start, items: [] };
    // The mark of an item may arrive before its words.
    if (text !== '') list.items.push(text);
  };

  for (const line of source.split(/\r?\n/)) {
    if (code !== undefined) {
      if (fenceLine.test(line)) {
        blocks.push({ kind: 'code', text: code.join('\n') });
        code = undefined;
      } else code.push(line);
      continue;
    }
    const heading = headingLine.exec(line)?.[1];
    const number = numberedLine.exec(line);
    const bullet = bulletedLine.exec(line);
    if (fenceLine.test(line)) {
      end();
      code = [];
    } else if (heading !== undefined) {
      end();
      blocks.push({ kind: 'heading', inline: readInline(heading) });
    } else if (number !== null) addItem('numbered', Number(number[1]), number[2] ?? '');
    else if (bullet !== null) addItem('bulleted', 1, bullet[1] ?? '');
    else if (line.trim() === '') {
      // A blank line between two items does not end a list; the next line decides.
      if (list === undefined) end();
    } else if (list !== undefined && /^\s{2,}/.test(line)) {
      list.items.push(`${list.items.pop() ?? ''} ${line.trim()}`);
    } else {
      if (list !== undefined) end();
      lines.push(line.trim());
    }
  }
  end();
  if (code !== undefined) blocks.push({ kind: 'code', text: code.join('\n') });
  return blocks;
}

function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(/\*\*([^*]+)\*\*|`([^`]+)`/g)) {
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push(
      match[1] === undefined ? { kind: 'code', text: match[2] ?? '' } : { kind: 'bold', text: match[1] },
    );
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}
