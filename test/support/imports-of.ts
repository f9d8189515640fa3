/** An import, re-export or dynamic import of a module. */
export type FoundImport = {
  /** As it is written, such as `./store.ts`. */
  readonly specifier: string;
  /** `type` is erased when the program is built; `lazy` is loaded when the line runs. */
  readonly kind: 'static' | 'type' | 'lazy';
};

type Token = { readonly kind: 'word' | 'text' | 'sign'; readonly value: string };

/**
 * Returns what a TypeScript module imports, in the order it is written. Comments, strings, templates and regular
 * expressions are passed over. Relies on the project's form: one statement after another, each with its module named in
 * quotes.
 */
export function importsOf(source: string): FoundImport[] {
  const tokens = tokensOf(source);
  const found: FoundImport[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const word = tokens[at];
    if (word?.kind !== 'word' || isSign(tokens[at - 1], '.')) continue;
    if (word.value === 'import') {
      const next = tokens[at + 1];
      if (isSign(next, '(')) {
        const named = tokens[at + 2];
        if (named?.kind === 'text') found.push({ specifier: named.value, kind: 'lazy' });
      } else if (next?.kind === 'text') found.push({ specifier: next.value, kind: 'static' });
      else if (next !== undefined && !isSign(next, '.')) add(at);
    } else if (word.value === 'export') {
      const [next, second] = tokens.slice(at + 1, at + 3);
      const isList = isSign(next, '{') || isSign(next, '*');
      if (isList || (isWord(next, 'type') && (isSign(second, '{') || isSign(second, '*')))) add(at);
    }
  }
  return found;

  /**
   * Adds the import of a statement that begins at `start`, with `from` before its module; an `export {…}` may have
   * none.
   */
  function add(start: number): void {
    const second = tokens[start + 2];
    const isType =
      isWord(tokens[start + 1], 'type') &&
      !isWord(second, 'from') &&
      !isSign(second, ',') &&
      !isSign(second, '=');
    for (let at = start + 1; at < tokens.length; at++) {
      const token = tokens[at];
      if (isWord(token, 'from') && tokens[at + 1]?.kind === 'text') {
        found.push({ specifier: tokens[at + 1]?.value ?? '', kind: isType ? 'type' : 'static' });
        return;
      }
      const isPart = token?.kind === 'word' || ['{', '}', ',', '*'].some((sign) => isSign(token, sign));
      if (!isPart || isWord(token, 'import') || isWord(token, 'export')) return;
    }
  }
}

const isSign = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'sign' && token.value === value;
const isWord = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'word' && token.value === value;

/** After one of these a slash divides; after any other it begins a regular expression. */
const valueEnd = /[\w$)\]}"'`]$/;
const wordsBeforeValue = new Set(['return', 'typeof', 'case', 'in', 'of', 'await', 'yield', 'void', 'else']);

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** Depths of braces at which a template goes on. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;

  /** Passes over the text of a template from `at`, to its end or to before the code it holds. */
  const passTemplate = (): void => {
    while (at < source.length) {
      if (source[at] === '\\') at += 2;
      else if (source[at] === '`') {
        at += 1;
        return;
      } else if (source.startsWith('${', at)) {
        at += 2;
        templates.push(depth);
        depth += 1;
        return;
      } else at += 1;
    }
  };

  while (at < source.length) {
    const char = source[at] ?? '';
    if (/\s/.test(char)) at += 1;
    else if (source.startsWith('//', at)) at = endOf(source, '\n', at);
    else if (source.startsWith('/*', at)) at = endOf(source, '*/', at + 2);
    else if (char === '"' || char === "'") {
      const end = lineMatch(char === '"' ? /"(?:[^"\\\n]|\\.)*"/y : /'(?:[^'\\\n]|\\.)*'/y, source, at);
      // An apostrophe of a text between tags closes nowhere on its line.
      if (end === undefined) at += 1;
      else {
        tokens.push({ kind: 'text', value: source.slice(at + 1, end - 1) });
        at = end;
      }
    } else if (char === '`') {
      at += 1;
      passTemplate();
      tokens.push({ kind: 'sign', value: '`' });
    } else if (char === '/' && mayBeginExpression(tokens.at(-1))) {
      const end = lineMatch(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y, source, at);
      at = end ?? at + 1;
      tokens.push({ kind: 'sign', value: end === undefined ? '/' : ')' });
    } else if (/[\w$]/.test(char)) {
      const end = lineMatch(/[\w$]+/y, source, at) ?? at + 1;
      tokens.push({ kind: 'word', value: source.slice(at, end) });
      at = end;
    } else {
      tokens.push({ kind: 'sign', value: char });
      at += 1;
      if (char === '{') depth += 1;
      if (char === '}') {
        depth -= 1;
        if (templates.at(-1) === depth) {
          templates.pop();
          passTemplate();
        }
      }
    }
  }
  return tokens;
}

function mayBeginExpression(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'word') return wordsBeforeValue.has(before.value);
  // `</div>` closes a tag.
  return before.kind === 'sign' && before.value !== '<' && !valueEnd.test(before.value);
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

function lineMatch(pattern: RegExp, source: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}
