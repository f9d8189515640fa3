/** Studio chat ids and the studio iframe's address (CON-062 to CON-066). */

const appName = '[a-z0-9][a-z0-9-]{0,99}';
const chatIdPattern = new RegExp(`^(?:c-[0-9a-f]{16}|repo-${appName})$`);
const appNamePattern = new RegExp(`^${appName}$`);

/** The side panels a link may open. */
export const studioPanels = ['components', 'draft', 'details'] as const;
export type StudioPanel = (typeof studioPanels)[number];

/** Longest `cmd` in UTF-8 bytes. */
export const maxCmdBytes = 8000;

/** Half of a surrogate pair has no UTF-8 form: `encodeURIComponent` would throw on it. */
const loneSurrogate = /\p{Surrogate}/u;

/** True for `c-` + 16 hex characters or `repo-<app_name>`. */
export function isChatId(value: unknown): value is string {
  return typeof value === 'string' && chatIdPattern.test(value);
}

/** True for a name of the legacy `app` parameter. */
export function isAppName(value: unknown): value is string {
  return typeof value === 'string' && appNamePattern.test(value);
}

/** True for the name of a side panel. */
export function isStudioPanel(value: unknown): value is StudioPanel {
  return studioPanels.some((panel) => panel === value);
}

export type StudioLink = {
  /** A chat id, or `new`. */
  readonly chat?: string | undefined;
  readonly app?: string | undefined;
  readonly panel?: string | undefined;
  readonly cmd?: string | undefined;
};

/**
 * The iframe's address. Parameters come in the fixed order `chat`, `app`, `panel`, `cmd`, percent-encoded with the
 * space as `%20`. A value that does not have its parameter's shape is left out; a `cmd` over 8,000 UTF-8 bytes too,
 * whole: half a command could say something else.
 */
export function studioLink(link: StudioLink): string {
  const cmdFits =
    link.cmd !== undefined && link.cmd !== '' && new TextEncoder().encode(link.cmd).length <= maxCmdBytes;
  const pairs: [string, string | undefined][] = [
    ['chat', link.chat === 'new' || isChatId(link.chat) ? link.chat : undefined],
    ['app', isAppName(link.app) ? link.app : undefined],
    ['panel', isStudioPanel(link.panel) ? link.panel : undefined],
    ['cmd', cmdFits && !loneSurrogate.test(link.cmd ?? '') ? link.cmd : undefined],
  ];
  const query = pairs
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return query === '' ? '/studio/' : `/studio/?${query}`;
}
