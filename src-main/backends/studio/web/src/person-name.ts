/** Returns a person's name and initials for their own chat, derived from the email the studio knows. */
export function personName(email: string): { readonly name: string; readonly initials: string } {
  const words = (email.split('@', 1)[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first, second] = words;
  if (first === undefined) return { name: 'You', initials: 'Y' };
  const initials =
    second === undefined
      ? Array.from(first).slice(0, 2).join('')
      : `${Array.from(first)[0]}${Array.from(second)[0]}`;
  return { name: `${first.charAt(0).toUpperCase()}${first.slice(1)}`, initials: initials.toUpperCase() };
}
