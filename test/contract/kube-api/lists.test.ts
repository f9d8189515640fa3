import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, config, itemNames, namespace, pageOf, pod, start } from './harness.ts';

describe('lists', () => {
  it('pages through one moment, whatever changes meanwhile', async () => {
    const { world } = await start([
      namespace('rec'),
      ...['a', 'b', 'c', 'd', 'e'].map((name) => config(name)),
    ]);
    const first = await ask('/api/v1/namespaces/rec/configmaps?limit=2');
    expect(itemNames(first.text)).toEqual(['a', 'b']);
    expect(pageOf(first.text).remainingItemCount).toBe(3);
    await world.put(config('bb'));
    const next = pageOf(first.text).continue ?? '';
    const second = await ask(`/api/v1/namespaces/rec/configmaps?limit=5&continue=${next}`);
    expect(itemNames(second.text)).toEqual(['c', 'd', 'e']);
    expect(pageOf(second.text).continue).toBeUndefined();
    expect(pageOf(second.text).resourceVersion).toBe(pageOf(first.text).resourceVersion);
  });

  it('answers 410 for a page that is too old, with a token that goes on in what is there now', async () => {
    const { world, compact } = await start([
      namespace('rec'),
      ...['a', 'b', 'c'].map((name) => config(name)),
    ]);
    const first = await ask('/api/v1/namespaces/rec/configmaps?limit=1');
    compact();
    await world.put(config('bb'));
    const gone = await ask(
      `/api/v1/namespaces/rec/configmaps?limit=5&continue=${pageOf(first.text).continue}`,
    );
    expect(gone.status).toBe(410);
    expect(gone.json()).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
    const { metadata } = z.object({ metadata: z.object({ continue: z.string() }) }).parse(gone.json());
    const rest = await ask(`/api/v1/namespaces/rec/configmaps?limit=5&continue=${metadata.continue}`);
    expect(itemNames(rest.text)).toEqual(['b', 'bb', 'c']);
  });

  it.each([
    ['labelSelector=app=a', ['a']],
    ['labelSelector=app!=a', ['b', 'c']],
    ['labelSelector=app in (a, b)', ['a', 'b']],
    ['labelSelector=app notin (a)', ['b', 'c']],
    ['labelSelector=tier', ['c']],
    ['labelSelector=!tier', ['a', 'b']],
    ['labelSelector=app=c,tier=x', ['c']],
    ['fieldSelector=metadata.name=b', ['b']],
    ['fieldSelector=spec.nodeName=n1,status.phase!=Failed', ['a']],
    ['fieldSelector=status.phase=Failed', ['b']],
  ])('selects by %s', async (query, names) => {
    await start([
      pod('a', { labels: { app: 'a' }, node: 'n1' }),
      pod('b', { labels: { app: 'b' }, node: 'n1', phase: 'Failed' }),
      pod('c', { labels: { app: 'c', tier: 'x' } }),
    ]);
    const [name = '', ...rest] = query.split('=');
    const answer = await ask(`/api/v1/pods?${new URLSearchParams({ [name]: rest.join('=') })}`);
    expect(itemNames(answer.text)).toEqual(names);
  });

  it('refuses a selector and a limit that cannot be read', async () => {
    await start([]);
    for (const query of [
      'labelSelector=a%20b',
      'fieldSelector=spec.color%3Dred',
      'limit=few',
      'resourceVersion=x',
    ])
      expect((await ask(`/api/v1/pods?${query}`)).json()).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('says that a revision of the future is not there yet', async () => {
    await start([]);
    const answer = await ask('/api/v1/pods?resourceVersion=999999');
    expect(answer.status).toBe(504);
    expect(answer.json()).toMatchObject({ reason: 'Timeout' });
  });
});
