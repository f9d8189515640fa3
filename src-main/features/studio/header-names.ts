/**
 * Treatment of a request header on its way to the studio. `refuse`: the request is answered 400, because two
 * parsers could frame it differently.
 */
export type RequestFate =
  | 'forward'
  | 'drop'
  | 'refuse'
  | 'cookie'
  | 'connection'
  | 'host'
  | 'content-length'
  | 'transfer-encoding'
  | 'te'
  | 'expect'
  | 'content-type';

/** Treatment of a response header on its way back. */
export type ResponseFate =
  | 'forward'
  | 'drop'
  | 'connection'
  | 'set-cookie'
  | 'content-length'
  | 'transfer-encoding';

/** Names of one connection only (RFC 9110 7.6.1; `proxy-connection` and `http2-settings` by custom). */
const HOP_BY_HOP = [
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'http2-settings',
] as const;

const request = new Map<string, RequestFate>([
  ...HOP_BY_HOP.map((name) => [name, 'drop'] as const),
  // The request's trailers are not forwarded: a trailer is a second place to plant an identity.
  ['trailer', 'drop'],
  // Answered here: the studio never sees the expectation.
  ['expect', 'expect'],
  ['content-type', 'content-type'],
  ['cookie', 'cookie'],
  ['connection', 'connection'],
  ['host', 'host'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  ['te', 'te'],
  // undici writes the one upgrade we allow, from its own option.
  ['upgrade', 'drop'],
  // The console is the edge: what a client says about the way it came is not evidence.
  ['forwarded', 'drop'],
  ['x-real-ip', 'drop'],
]);

/**
 * Headers that a browser applies to the whole origin, or keeps after the answer: the studio shares the console's
 * origin, and must not put a worker over its pages, end its session, pin it to https, move it to another server, or be
 * read by pages of other origins.
 */
const OF_THE_ORIGIN = [
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'public-key-pins',
  'public-key-pins-report-only',
  'expect-ct',
  'alt-svc',
  'report-to',
  'reporting-endpoints',
  'nel',
  'accept-ch',
  'critical-ch',
] as const;

const response = new Map<string, ResponseFate>([
  ...HOP_BY_HOP.map((name) => [name, 'drop'] as const),
  ...OF_THE_ORIGIN.map((name) => [name, 'drop'] as const),
  ['upgrade', 'drop'],
  ['connection', 'connection'],
  ['set-cookie', 'set-cookie'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  // A bearer credential (CON-175): an echo of it must not reach a page.
  ['x-console-identity', 'drop'],
]);

const FRAMING_LOOKALIKE = /transfer[^a-z0-9]*encoding|content[^a-z0-9]*length/;

function judgeRequest(name: string): RequestFate {
  const lower = name.toLowerCase();
  const known = request.get(lower);
  if (known !== undefined) return known;
  // CGI, WSGI and PHP map every odd character of a name to `_`, so `X_Console.Identity` arrives there as ours.
  const plain = lower.replace(/[^a-z0-9]/g, '-');
  if (plain === 'x-console-identity' || plain === 'x-real-ip') return 'drop';
  if (plain === 'x-forwarded' || plain.startsWith('x-forwarded-')) return 'drop';
  if (FRAMING_LOOKALIKE.test(lower)) return 'refuse';
  return 'forward';
}

function judgeResponse(name: string): ResponseFate {
  const lower = name.toLowerCase();
  // Its own page needs none of these on one origin; they would let pages of another one read what is here.
  if (lower.startsWith('access-control-')) return 'drop';
  return response.get(lower) ?? 'forward';
}

/**
 * Remembers the verdict by the name as it was written: browsers repeat a few dozen spellings, so a header costs one
 * map look-up and no lower-casing. Bounded, because the names are the client's choice.
 */
function remembered<Fate>(judge: (name: string) => Fate): (name: string) => Fate {
  const verdicts = new Map<string, Fate>();
  return (name) => {
    let fate = verdicts.get(name);
    if (fate === undefined) {
      fate = judge(name);
      if (verdicts.size < 512 && name.length <= 64) verdicts.set(name, fate);
    }
    return fate;
  };
}

/** The fate of a request header, by its name in any case. */
export const requestFate: (name: string) => RequestFate = remembered(judgeRequest);

/** The fate of a response header, by its name in any case. */
export const responseFate: (name: string) => ResponseFate = remembered(judgeResponse);

/**
 * Adds the names listed in a `Connection` value to `named` (RFC 9110 7.6.1). Framing and routing names are never
 * droppable this way: `Connection: content-length` is an attack, not an instruction.
 */
export function addNamed(connection: string, named: Set<string> | undefined): Set<string> | undefined {
  if (connection === 'keep-alive' || connection === 'close') return named;
  let names = named;
  for (const token of connection.toLowerCase().split(',')) {
    const name = token.trim();
    if (name === '' || name === 'keep-alive' || name === 'close' || name === 'upgrade') continue;
    if (name === 'content-length' || name === 'transfer-encoding' || name === 'host') continue;
    names ??= new Set();
    names.add(name);
  }
  return names;
}

/** The flat header list without the pairs whose name is in `named`. */
export function withoutNamed(headers: string[], named: Set<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (!named.has(name.toLowerCase())) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}
