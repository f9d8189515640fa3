import { createHash } from 'node:crypto';
import fc from 'fast-check';

// What nobody means to send to the campaign backend, near enough to what is meant to get past the first check.

/** 43 characters of base64url; a generator of each of them would take most of the time of these tests. */
const digest = (seed: number): string => createHash('sha256').update(`${seed}`).digest('base64url');
const hex = (seed: number): string => Buffer.from(digest(seed)).toString('hex').slice(0, 24);

const token = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('.', '-', '_', 'a', '0', 's'), maxLength: 120 }),
  // What looks like a refresh token, and like a JSON Web Token.
  fc
    .tuple(fc.nat(), fc.nat(999_999_999))
    .map(([seed, turn]) => `s-${hex(seed)}.${turn}.${digest(seed)}.${digest(turn).slice(0, 22)}`),
  fc
    .tuple(fc.nat(), fc.nat(43))
    .map(([seed, length]) => `eyJ${digest(seed)}.${digest(length)}.${digest(seed).slice(0, length)}`),
  fc.jsonValue(),
);
const tokenField = fc.constantFrom('id_token', 'idToken', 'refresh_token', 'refreshToken', '__proto__', 'x');
const tokens = fc.dictionary(tokenField, token, { maxKeys: 3 }).map((value) => JSON.stringify(value));

/** Bodies of the sign-in routes. */
export const signInBodies: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 20, arbitrary: tokens.map((text) => Buffer.from(text)) },
  { weight: 5, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 5, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  // Half of a good body, and nesting deeper than any stack of ours.
  { weight: 5, arbitrary: tokens.map((text) => Buffer.from(text.slice(0, text.length / 2))) },
  {
    weight: 1,
    arbitrary: fc
      .nat(30_000)
      .map((deep) => Buffer.from(`{"id_token":${'['.repeat(deep)}${']'.repeat(deep)}}`)),
  },
);

/** An offer as a browser makes it. */
export const offer = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:F7gI',
  'a=ice-pwd:x9cml/YzichV2+XlhiMu8g',
  'a=fingerprint:sha-256 D2:FA:0E:C3:22:59:5E:14:95:69:92:3D:13:B4:84:24:2C:C2:A2:C0:3E:FD:34:8E:5E:EA:6F:AF:52:CE:E6:0F',
  'a=setup:actpass',
  'a=mid:0',
  'a=rtpmap:111 opus/48000/2',
  '',
].join('\r\n');

const sdpLine = fc.oneof(
  fc.constantFrom(...offer.split('\r\n')),
  fc
    .tuple(
      fc.constantFrom('v', 'o', 's', 't', 'm', 'a', 'c', 'Z', ''),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    .map(([type, value]) => `${type}=${value}`),
  fc.string({ maxLength: 40 }),
);

/** Session descriptions. */
export const descriptions: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.array(sdpLine, { maxLength: 30 }), fc.constantFrom('\r\n', '\n', '\r'))
    .map(([lines, end]) => lines.join(end)),
  fc.array(sdpLine, { maxLength: 8 }).map((lines) => offer + lines.join('\r\n')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Recordings, half of them of whole samples. */
export const recordings: fc.Arbitrary<Buffer> = fc
  .uint8Array({ maxLength: 400 })
  .map((bytes) => Buffer.from(bytes));

const usualFields = [
  'MessageSid',
  'AccountSid',
  'From',
  'Body',
  'NumMedia',
  'MediaUrl0',
  '__proto__',
  'constructor',
];

/** Forms whose fields are those of the messaging provider or any, after `start` in half of them. */
export function messageForms(start: Readonly<Record<string, string>>): fc.Arbitrary<URLSearchParams> {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(...Object.values(start), '0', '99', ''),
  );
  const name = fc.oneof(fc.constantFrom(...usualFields), fc.string({ unit: 'binary', maxLength: 20 }));
  return fc
    .tuple(fc.array(fc.tuple(name, value), { maxLength: 30 }), fc.boolean())
    .map(([more, isWhole]) => new URLSearchParams([...(isWhole ? Object.entries(start) : []), ...more]));
}

/** Parts of a multipart body, which no route of this backend takes. */
export const multipartBodies: fc.Arbitrary<Buffer> = fc
  .array(fc.tuple(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 60 })), {
    maxLength: 4,
  })
  .map((parts) =>
    Buffer.from(
      parts
        .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join(''),
    ),
  );

const junk = fc.jsonValue({ maxDepth: 2 });
const rpcMessage = fc.record(
  {
    messageId: fc.string(),
    role: fc.constantFrom('ROLE_USER', 1, 'x'),
    parts: fc.array(fc.oneof(fc.record({ text: fc.string() }), junk)),
    taskId: fc.string(),
  },
  { requiredKeys: [] },
);
const rpcRequest = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '2.0', '1.0', 2),
    id: fc.oneof(fc.string(), fc.integer(), fc.constant(null), junk),
    method: fc.constantFrom(
      'SendMessage',
      'SendStreamingMessage',
      'GetTask',
      'ListTasks',
      'CancelTask',
      'SubscribeToTask',
      'GetExtendedAgentCard',
      'x',
    ),
    params: fc.oneof(
      fc.record(
        {
          message: fc.oneof(rpcMessage, junk),
          configuration: junk,
          id: junk,
          pageSize: junk,
          pageToken: junk,
          status: junk,
          historyLength: junk,
          tenant: junk,
        },
        { requiredKeys: [] },
      ),
      junk,
    ),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);

/** Bodies of the agent's JSON-RPC. */
export const rpcBodies: fc.Arbitrary<Buffer> = fc
  .oneof(
    rpcRequest.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc
      .nat(5000)
      .map(
        (depth) =>
          `{"jsonrpc":"2.0","method":"GetTask","params":{"id":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
      ),
  )
  .map((text) => Buffer.from(text));
