/**
 * Parts of an address inside the console (spec/console.md, Studio link parameters), in the order they are written.
 * `cmd` is not among them: a link from outside must not prefill what the operator sends.
 */
const parts = {
  tab: /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  chat: /^(?:new|c-[0-9a-f]{16}|repo-[a-z0-9][a-z0-9-]{0,99})$/,
  app: /^[a-z0-9][a-z0-9-]{0,99}$/,
  panel: /^(?:components|draft|details)$/,
  section: /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
} as const;

/** A place of the console: a page and what is open on it. */
export type Place = { readonly [Part in keyof typeof parts]?: string };

/** The address of a place inside the console, such as `/?tab=forgeStudio&chat=new`. */
export function placeAddress(place: Place): string {
  const query = Object.keys(parts).flatMap((part) => {
    const value = place[part as keyof Place];
    return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? '/' : `/?${query.join('&')}`;
}

/**
 * The address inside the console that `operator-console://open?tab=..&chat=..` names, built anew from its checked
 * parts. Any web page can offer such a link: one that holds anything unknown is refused whole (undefined).
 */
export function parseDeepLink(link: string): string | undefined {
  if (link.length > 2000 || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  if (url.protocol !== 'operator-console:' || url.host !== 'open') return undefined;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  // Some systems write a slash after the host.
  if (url.pathname !== '' && url.pathname !== '/') return undefined;
  const place: { -readonly [Part in keyof Place]: Place[Part] } = {};
  for (const [name, value] of url.searchParams) {
    if (!isPart(name) || place[name] !== undefined || !parts[name].test(value)) return undefined;
    place[name] = value;
  }
  return placeAddress(place);
}

function isPart(name: string): name is keyof typeof parts {
  return Object.hasOwn(parts, name);
}
