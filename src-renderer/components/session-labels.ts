import type { SessionItem } from '#shared/api/sign-in.ts';

/** Label of each sign-in method. */
export const methodLabels: Readonly<Record<SessionItem['method'], string>> = {
  password: 'Password',
  'identity-provider': 'Identity provider',
  link: 'Sign-in link',
  desktop: 'Desktop window',
};

/** First match wins: every one of these also says the names of those after it. */
const programs = [
  ['Electron/', 'Desktop window'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** A user agent in two words, such as `Chrome on Linux`; what is not known is shown as it came. */
export function deviceLabel(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === '') return 'Unknown';
  const program = programs.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (program === undefined) return userAgent.slice(0, 60);
  return system === undefined ? program : `${program} on ${system}`;
}

/** Sessions by person, each person's latest first, the person seen last first. */
export function byPerson<S extends { readonly email: string; readonly last_seen_at: string }>(
  sessions: readonly S[],
): readonly { readonly person: string; readonly sessions: readonly S[] }[] {
  const people = new Map<string, S[]>();
  for (const session of [...sessions].sort(lastSeenFirst)) {
    const known = people.get(session.email);
    if (known === undefined) people.set(session.email, [session]);
    else known.push(session);
  }
  return [...people].map(([person, own]) => ({ person, sessions: own }));
}

const lastSeenFirst = (a: { readonly last_seen_at: string }, b: { readonly last_seen_at: string }): number =>
  Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at);

/** This session first, then the one seen last. */
export function inOrder(sessions: readonly SessionItem[]): readonly SessionItem[] {
  return [...sessions].sort((a, b) => Number(b.current) - Number(a.current) || lastSeenFirst(a, b));
}
