/** Longest title in characters, the ellipsis counted. */
const longest = 60;

/** A chat's title from its first message: the first line with words, cut at a word boundary, at most 60 characters. */
export function chatTitle(firstMessage: string): string {
  const line = firstMessage.split(/\r?\n/).find((each) => each.trim() !== '') ?? '';
  const plain = line
    .replace(/^[\s#>*-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(plain);
  if (characters.length <= longest) return plain === '' ? 'New chat' : plain;
  const cut = characters.slice(0, longest - 1).join('');
  const boundary = characters[longest - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  // A word longer than a third of the title is cut inside: a title of one short word would say less.
  const kept = boundary > longest / 3 ? cut.slice(0, boundary) : cut;
  return `${kept.replace(/[\s,;:.]+$/, '')}…`;
}
