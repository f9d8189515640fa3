import { StartupRefused } from '../serving/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable without its outer spaces; undefined when nothing is left. */
export function filled(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/**
 * The address in a variable, without a slash at the end. Throws `StartupRefused` for another thing than http(s), and for one with
 * a password in it, which would reach logs.
 */
export function readUrl(value: string, name: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartupRefused(
      `${name} is no address: give one that begins with http:// or https:// and has no user name or password in it.`,
    );
  return value.replace(/\/+$/, '');
}
