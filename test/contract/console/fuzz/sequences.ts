import { type Random, randomOf } from './random.ts';

/** A server that is played against. */
export type Door = {
  readonly port: number;
  /** `host:port`, as it wants to be called. */
  readonly host: string;
  /** Addresses that are answered and end by themselves. */
  readonly ending: readonly string[];
  /** Addresses of streams, of nothing, and of other servers. */
  readonly others: readonly string[];
  /** Lines that let a request in, such as a cookie; only for reads. */
  readonly admitted: readonly string[];
  /** Whether HTTP/2 with prior knowledge is spoken there. */
  readonly http2: boolean;
};

/** What one connection sends, and how it ends. */
export type Sequence = {
  readonly port: number;
  readonly bytes: Buffer;
  /** Bytes after which the client waits a moment. */
  readonly pauses: readonly number[];
  /**
   * `reset` and `close` leave after `ms`, the answers unread or not; `end` closes the client's side only, and the server has to close
   * its own; `stay` waits for the server, which was asked to close after its last answer.
   */
  readonly ending: 'reset' | 'close' | 'end' | 'stay';
  readonly ms: number;
  readonly reads: boolean;
};

const upgradeLines = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

const oddTargets = [
  '//[',
  '//%%%/',
  '/\\',
  '/%',
  '/%00',
  '*',
  'http://[::1/',
  'http://elsewhere/',
  '//a:b@[::/',
  '/studio/..%2f..%2fapi/me',
  '/studio//x',
  '/?'.padEnd(9000, 'x'),
  '/a b',
  '/caf\xe9',
  '',
] as const;

const methods = [
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'M-SEARCH',
  'FOO',
  'get',
  'QUERY',
  'PRI',
];

const oddLines = [
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 5, 5',
  'Content-Length: 4\r\nContent-Length: 5',
  'Content-Length: 99999999999999999999',
  'Content-Length: 10',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Transfer_Encoding: chunked',
  'Expect: 100-continue',
  'Expect: the-worst',
  'Connection: close, content-length',
  'Connection: x, keep-alive, y',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  'Upgrade: websocket',
  'Content-Type: application/grpc-web+proto',
  'Content-Type: application/grpc-web-text',
  'Content-Type: application/grpc',
  'Content-Type: application/connect+json',
  'Content-Type: application/json',
  'Content-Type: application/octet-stream',
  'Content-Type: ;;;',
  'Content-Encoding: gzip',
  'Accept: text/event-stream',
  'Accept: */*;q=nan, text/plain; version="0.0.4',
  'Cookie: =; ;;console_session; console_session=x; console_session="',
  'Range: bytes=0-1,5-',
  'If-None-Match: "',
  'If-Modified-Since: never',
  'TE: trailers, deflate;q=',
  'Trailer: X-A, Content-Length',
  'X-Forwarded-For: ,,,',
  'X-Console-Identity: planted',
  'Origin: null',
  'Origin: http://elsewhere.example',
  'Sec-Fetch-Site: cross-site',
  'Authorization: Bearer',
  'Authorization: Basic ====',
  'Grpc-Timeout: 1x',
  'Host:',
  'Host: [',
  'Host: a b',
  'Host: elsewhere',
  ' folded: line',
  'no colon at all',
  'X-Nul: a\0b',
  'X-High: \xff\xfe',
  'X-Bell: \x07',
  `X-Long: ${'y'.repeat(20_000)}`,
];

const bodies = [
  '',
  '{',
  '{}',
  '[]',
  'null',
  '{"wait":1}',
  '\0\0\0\0\0',
  '\0\xff\xff\xff\xff',
  '0\r\n\r\n',
  '2\r\nab\r\n0\r\nX: y\r\n\r\n',
  'zz\r\n',
  'ffffffffffffffff\r\n',
  '1;=\r\na\r\n',
];

/** Returns the sequence of a seed against one of the doors. */
export function sequenceOf(seed: number, doors: readonly Door[]): Sequence {
  const random = randomOf(seed);
  const door = random.pick(doors);
  if (door.http2 && random.chance(0.2)) return ended(random, door, http2Bytes(random), false);
  const count = 1 + random.below(4);
  const isPlain = random.chance(0.35);
  const requests = Array.from({ length: count }, (_, at) =>
    isPlain ? plainRequest(random, door, at === count - 1) : anyRequest(random, door),
  );
  return ended(random, door, Buffer.from(requests.join(''), 'latin1'), isPlain);
}

function ended(random: Random, { port }: Door, bytes: Buffer, isPlain: boolean): Sequence {
  const ending = random.pick(
    isPlain ? (['stay', 'stay', 'reset'] as const) : (['reset', 'close', 'end'] as const),
  );
  const whole = ending === 'stay' || random.chance(0.5);
  const cut = whole ? bytes.length : random.below(bytes.length + 1);
  return {
    port,
    bytes: bytes.subarray(0, cut),
    pauses: random.chance(0.3) ? [random.below(cut + 1)] : [],
    ending,
    ms: random.below(8),
    reads: ending === 'stay' || ending === 'end' || random.chance(0.5),
  };
}

/** A request that anybody answers, the last of its connection if `last`. */
function plainRequest(random: Random, door: Door, last: boolean): string {
  const lines = [`GET ${numbered(random, random.pick(door.ending))} HTTP/1.1`, `Host: ${door.host}`];
  if (random.chance(0.5)) lines.push(...door.admitted);
  if (last) lines.push('Connection: close');
  return [...lines, '', ''].join('\r\n');
}

function anyRequest(random: Random, door: Door): string {
  const upgrades = random.chance(0.3);
  const target = random.chance(0.2) ? random.pick(oddTargets) : random.pick([...door.ending, ...door.others]);
  const reads = random.chance(0.6);
  const version = random.chance(0.85)
    ? 'HTTP/1.1'
    : random.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/', '']);
  const lines = [`${reads ? 'GET' : random.pick(methods)} ${numbered(random, target)} ${version}`];
  if (random.chance(0.9)) lines.push(`Host: ${door.host}`);
  if (reads && random.chance(0.6)) lines.push(...door.admitted);
  if (upgrades) lines.push(...upgradeLines);
  for (let odd = random.below(4); odd > 0; odd--) if (random.chance(0.6)) lines.push(random.pick(oddLines));
  const body = random.chance(0.3) ? random.pick(bodies) : '';
  if (body !== '' && random.chance(0.5)) lines.push(`Content-Length: ${body.length + random.below(3) - 1}`);
  const lineEnd = random.chance(0.97) ? '\r\n' : '\n';
  const text = [...lines, '', body].join(lineEnd);
  return upgrades && random.chance(0.3) ? text + random.bytes(random.below(40)).toString('latin1') : text;
}

/** Gives `#` of an address a number: the studio makes its answer of it. */
function numbered(random: Random, address: string): string {
  return address.replace('#', String(random.below(1_000_000)));
}

/** The preface of HTTP/2, and frames that are more or less frames (RFC 9113 section 4.1). */
function http2Bytes(random: Random): Buffer {
  const frames = Array.from({ length: random.below(6) }, () => {
    const payload = random.bytes(random.below(60));
    const head = Buffer.alloc(9);
    head.writeUIntBE(random.chance(0.9) ? payload.length : random.below(2 ** 24), 0, 3);
    head[3] = random.below(12);
    head[4] = random.pick([0, 1, 4, 5, 0x2d, 0xff]);
    head.writeUInt32BE(random.pick([0, 1, 3, 2, 0x7fffffff]), 5);
    return Buffer.concat([head, payload]);
  });
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const opening = random.chance(0.8) ? [settings] : [];
  return Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), ...opening, ...frames]);
}
