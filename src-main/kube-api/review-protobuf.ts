import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Begins a body that Kubernetes encodes as protobuf (runtime.Unknown). */
const magic = Buffer.from('k8s\0');

/** Fields of a message by number: the name, and the fields of what is a message itself. */
type Fields = Readonly<Record<number, readonly [string, Fields?]>>;

/** Fields of the specs of SelfSubjectAccessReview and SelfSubjectRulesReview (k8s.io/api/authorization/v1/generated.proto). */
const reviews: Readonly<Record<string, Fields>> = {
  selfsubjectaccessreviews: {
    2: [
      'spec',
      {
        1: [
          'resourceAttributes',
          {
            1: ['namespace'],
            2: ['verb'],
            3: ['group'],
            4: ['version'],
            5: ['resource'],
            6: ['subresource'],
            7: ['name'],
          },
        ],
        2: ['nonResourceAttributes', { 1: ['path'], 2: ['verb'] }],
      },
    ],
  },
  selfsubjectrulesreviews: { 2: ['spec', { 1: ['namespace'] }] },
};

/** Fields of DeleteOptions (meta/v1) that matter here. */
const deleteOptions: Fields = {
  2: ['preconditions', { 1: ['uid'], 2: ['resourceVersion'] }],
  5: ['dryRun'],
};

/** Those of an Eviction (k8s.io/api/policy/v1). */
const eviction: Fields = { 2: ['deleteOptions', deleteOptions] };

export const isProtobuf = (body: Buffer): boolean => body.subarray(0, magic.length).equals(magic);

/** Reads a review as `kubectl auth can-i` sends it, which has no other form. Throws for what is none. */
export function protobufReview(plural: string, body: Buffer): unknown {
  return messageOf(rawOf(body), reviews[plural] ?? {}, 'text');
}

/** Reads an eviction, or the options of a deletion, as `kubectl drain` sends them. Throws for what is none. */
export function protobufDeletion(body: Buffer, isEviction: boolean): unknown {
  return messageOf(rawOf(body), isEviction ? eviction : deleteOptions, 'text');
}

function rawOf(body: Buffer): Buffer {
  const { raw } = messageOf(body.subarray(magic.length), { 2: ['raw'] }, 'bytes');
  return Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
}

function messageOf(bytes: Uint8Array, fields: Fields, leaves: 'bytes' | 'text'): Record<string, unknown> {
  const reader = new BinaryReader(bytes);
  const message: Record<string, unknown> = {};
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const [name, inner] = fields[number] ?? [];
    if (name === undefined || type !== WireType.LengthDelimited) {
      reader.skip(type, number);
      continue;
    }
    const value = Buffer.from(reader.bytes());
    message[name] =
      inner !== undefined
        ? messageOf(value, inner, leaves)
        : leaves === 'bytes'
          ? value
          : value.toString('utf8');
  }
  return message;
}
