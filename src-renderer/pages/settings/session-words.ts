import type { SessionItem } from '#shared/api/sign-in.ts';

/** How a session began, in words. */
export const methodWords: Readonly<Record<SessionItem['method'], string>> = {
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
export function deviceWords(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === '') return 'Not told';
  const program = programs.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (program === undefined) return userAgent.slice(0, 60);
  return system === undefined ? program : `${program} on ${system}`;
}

/** This session first, then the one seen last. */
export function inOrder(sessions: readonly SessionItem[]): readonly SessionItem[] {
  return [...sessions].sort(
    (a, b) =>
      Number(b.current) - Number(a.current) || Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at),
  );
}
