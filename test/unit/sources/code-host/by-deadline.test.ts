import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { byDeadline } from '../../../../src-main/sources/code-host/by-deadline.ts';

test('work that is done leaves nothing on its deadline, however much work shares one', async () => {
  const deadline = new AbortController();
  const done = await Promise.all(
    Array.from({ length: 40 }, (_, i) => byDeadline(deadline.signal, -1, async () => i)),
  );
  expect(done).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
});

test('work that fails leaves nothing either, and work that is late is answered for at the deadline', async () => {
  const deadline = new AbortController();
  await expect(byDeadline(deadline.signal, -1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
  const late = byDeadline(deadline.signal, -1, () => new Promise<number>(() => undefined));
  deadline.abort();
  expect(await late).toBe(-1);
  expect(await byDeadline(deadline.signal, -1, async () => 1)).toBe(-1);
});
