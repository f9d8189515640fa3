/** A piece of a title: matched pieces are drawn strong. */
export type Piece = { readonly text: string; readonly matched: boolean };

export type Match = {
  /** Lower is better. */
  readonly score: number;
  readonly pieces: readonly Piece[];
};

/**
 * Finds every word of the query in a title or, failing that, in its detail. Words at the start of the title score best,
 * then at the start of a word, then anywhere. Undefined when a word is in neither.
 */
export function matchTitle(query: string, title: string, detail = ''): Match | undefined {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const lowered = title.toLowerCase();
  const marks = new Array<boolean>(title.length).fill(false);
  let score = 0;
  for (const term of terms) {
    const at = lowered.indexOf(term);
    if (at < 0) {
      if (!detail.toLowerCase().includes(term)) return undefined;
      score += 40;
      continue;
    }
    marks.fill(true, at, at + term.length);
    score += at === 0 ? 0 : /[\s\-_/]/.test(lowered[at - 1] ?? '') ? 10 : 20;
  }
  return { score, pieces: piecesOf(title, marks) };
}

function piecesOf(title: string, marks: readonly boolean[]): readonly Piece[] {
  const pieces: { text: string; matched: boolean }[] = [];
  for (const [index, character] of title.split('').entries()) {
    const matched = marks[index] ?? false;
    const last = pieces.at(-1);
    if (last?.matched === matched) last.text += character;
    else pieces.push({ text: character, matched });
  }
  return pieces;
}
