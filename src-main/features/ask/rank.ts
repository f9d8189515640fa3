/** Words that say nothing of what is asked. */
const common = new Set(
  'a an and any are as at be been but by can could did do does for from get had has have how i if in into is it its me my need no not now of on or our out please show should so some such tell that the their them then there these they this those to up us was we were what when where which who why will with would you your happen happens mean means fix cause problem wrong made make makes lately recently last who whom whose'.split(
    ' ',
  ),
);

/** The words of a question that are looked for: without common ones and endings, at most twelve. */
export function questionWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !common.has(word)).map(stem))].slice(0, 12);
}

/** A word without its English ending: the same for `expire`, `expires`, `expired` and `expiring`. */
function stem(word: string): string {
  if (word.length <= 4 || /\d/.test(word)) return word;
  const cut = word.replace(/(?:ations?|ating|ated|ates?|ings?|ies|ied|ed|es|s|e|y)$/, '');
  return cut.length >= 3 ? cut : word;
}

export type Ranked<T> = { readonly item: T; readonly share: number; readonly score: number };

/**
 * Ranks texts by the words of a question: rare words count more than frequent ones, a title more than a body. `share` is
 * the weight of the words found, of all of the question. The same on both databases, because it is computed here.
 */
export function rank<T extends { readonly title: string; readonly body: string }>(
  items: readonly T[],
  words: readonly string[],
): Ranked<T>[] {
  const read = items.map((item) => ({ item, title: stems(item.title), body: stems(item.body) }));
  const weights = words.map((word) => {
    const having = read.filter(({ title, body }) => title.has(word) || body.has(word)).length;
    return Math.log(1 + (items.length + 1) / (having + 1));
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return read
    .map(({ item, title, body }) => {
      let score = 0;
      let found = 0;
      for (const [at, word] of words.entries()) {
        const weight = weights[at] ?? 0;
        if (title.has(word)) score += 2 * weight;
        if (body.has(word)) score += weight;
        if (title.has(word) || body.has(word)) found += weight;
      }
      return {
        item,
        score: score / Math.log(8 + title.size + body.size),
        share: whole === 0 ? 0 : found / whole,
      };
    })
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share || b.score - a.score);
}

function stems(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem));
}
