/** A piece of a YAML text: a whole document, or one item of its list. */
export type YamlPiece = { readonly text: string; readonly from: number };

export type YamlItems = {
  readonly form: 'list' | 'array' | 'object';
  /** Items of a list or an array, each a sequence of one. */
  readonly items: readonly YamlPiece[];
  /** The list object without its items, as YAML. */
  readonly envelope: string;
};

/**
 * The documents of a YAML text. `---` at the start of a line always separates: inside of a text block every line is
 * indented.
 */
export function yamlDocuments(text: string): readonly YamlPiece[] {
  const documents: YamlPiece[] = [];
  let from = 0;
  for (const { index, 0: separator } of text.matchAll(/^---(?:[ \t][^\n]*)?\r?(?:\n|$)/gm)) {
    documents.push({ text: text.slice(from, index), from });
    from = index + separator.length;
  }
  documents.push({ text: text.slice(from), from });
  return documents.filter(({ text: document }) => /^[^\s#]/m.test(document));
}

/**
 * The items of a document's list, cut apart by their indentation instead of by parsing: each is then parsed for itself,
 * so that a file of 60 MB neither holds the event loop nor is in memory as a whole, and an item that cannot be
 * understood does not hide the others. A document that is written otherwise is its own only item.
 */
export function yamlItems({ text, from }: YamlPiece): YamlItems {
  const object: YamlItems = { form: 'object', items: [{ text, from }], envelope: '' };
  const isArray = text.startsWith('- ');
  const head = isArray ? undefined : /^items:[ \t]*\r?\n/m.exec(text);
  if (!isArray && head === null) return object;
  const start = head ? head.index + head[0].length : 0;
  const indent = /^ *(?=- )/.exec(text.slice(start, start + 200))?.[0];
  if (indent === undefined) return object;

  const items: YamlPiece[] = [];
  let itemStart = start;
  let end = text.length;
  const keep = (to: number): void => {
    if (to > itemStart) items.push({ text: text.slice(itemStart, to), from: from + itemStart });
    itemStart = to;
  };
  for (let line = start; line < text.length; ) {
    const next = text.indexOf('\n', line);
    const lineEnd = next < 0 ? text.length : next + 1;
    if (text.startsWith(`${indent}- `, line)) keep(line);
    else if (endsList(text, line)) {
      end = line;
      break;
    }
    line = lineEnd;
  }
  keep(end);
  return {
    form: isArray ? 'array' : 'list',
    items,
    envelope: isArray ? '' : `${text.slice(0, start)}${text.slice(end)}`,
  };
}

/** A line that begins at the left edge with something else than an item, a comment or nothing. */
function endsList(text: string, line: number): boolean {
  const first = text[line];
  return (
    first !== ' ' &&
    first !== '\n' &&
    first !== '\r' &&
    first !== '#' &&
    first !== undefined &&
    !text.startsWith('- ', line)
  );
}
