import { describe, expect, it } from 'vitest';
import { readListItems } from '../../../../../src-main/sources/cluster/live/list-items.ts';

async function* piecesOf(text: string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, count = 0; at < bytes.length; count += 1) {
    const length = lengths[count % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function read(text: string, ...lengths: readonly number[]) {
  const items: unknown[] = [];
  const list = await readListItems(piecesOf(text, lengths), 'list pods', (item) => void items.push(item));
  return { list, items };
}

const odd = {
  metadata: {
    name: 'web "1" \\',
    managedFields: [{ manager: 'kubelet', fieldsV1: { 'f:a]}"': [{}, '\\"]'] } }],
    annotations: {
      applied: '{"metadata":{"managedFields":[{"manager":"x"}]},"items":[1,2]}',
      last: 'é€😀\\\\',
    },
  },
  spec: { managedFields: [1], items: [[], {}, [{ items: [] }]] },
};
const list = { kind: 'PodList', metadata: { resourceVersion: '7', continue: 'x', items: 'none' } };

describe('the objects of a list', () => {
  it('are the same wherever its bytes are cut, but for who set their fields', async () => {
    const text = JSON.stringify({ ...list, items: [odd, { a: 1 }, odd] });
    for (const lengths of [
      ...Array.from({ length: 80 }, (_, at) => [at + 1]),
      [3, 1, 40, 2],
      [text.length],
    ]) {
      const { items, list: rest } = await read(text, ...lengths);
      expect(items.map(unmanaged)).toEqual([odd, { a: 1 }, odd].map(unmanaged));
      expect(rest).toEqual({ ...list, items: null });
    }
  });

  it('come without managedFields, and with all else that is called so', async () => {
    const { items } = await read(JSON.stringify({ ...list, items: [odd] }), 1_000_000);
    expect(items).toEqual([{ ...odd, metadata: { ...odd.metadata, managedFields: null } }]);
  });

  it('may be none, or null, as Go writes an empty list', async () => {
    expect(await read('{"kind":"PodList","items": [ ] , "metadata":{}}', 4)).toEqual({
      list: { kind: 'PodList', items: null, metadata: {} },
      items: [],
    });
    expect((await read('{"items":null,"metadata":{}}', 4)).items).toEqual([]);
  });

  it('are refused when the list ends before its end, or is none', async () => {
    const text = JSON.stringify({ ...list, items: [odd] });
    await expect(read(text.slice(0, -40), 16)).rejects.toThrow(
      'The cluster ended a list before its end: list pods.',
    );
    await expect(read('<html>', 16)).rejects.toThrow(
      'The cluster answered something that is not JSON: list pods.',
    );
    await expect(read('{"items":[{"a":}]}', 16)).rejects.toThrow('is not JSON');
  });
});

function unmanaged(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item, (key, value) => (key === 'managedFields' ? undefined : value)));
}
