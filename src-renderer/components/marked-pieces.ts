/** The text cut at each hit. `at` is where a piece begins. */
export function piecesOf(
  text: string,
  query: string,
): readonly { readonly at: number; readonly piece: string; readonly hit: boolean }[] {
  const pieces: { at: number; piece: string; hit: boolean }[] = [];
  const folded = text.toLowerCase();
  const wanted = query.toLowerCase();
  // Where lower case has another length, as of a dotted capital I, places do not correspond: nothing is marked then.
  if (wanted === '' || folded.length !== text.length) return [{ at: 0, piece: text, hit: false }];
  let from = 0;
  for (let hit = folded.indexOf(wanted); hit >= 0; hit = folded.indexOf(wanted, from)) {
    if (hit > from) pieces.push({ at: from, piece: text.slice(from, hit), hit: false });
    from = hit + wanted.length;
    pieces.push({ at: hit, piece: text.slice(hit, from), hit: true });
  }
  if (from < text.length) pieces.push({ at: from, piece: text.slice(from), hit: false });
  return pieces;
}
