import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, config, namespace, pageOf, start } from './harness.ts';

describe('faults on demand', () => {
  it('throttles with Retry-After, as a fresh definition does, and then answers', async () => {
    const { faults } = await start([]);
    faults.add({ kind: 'throttled', retryAfterSeconds: 1, times: 1 });
    const first = await ask('/api/v1/pods');
    expect(first.status).toBe(429);
    expect(first.headers.get('retry-after')).toBe('1');
    expect((await ask('/api/v1/pods')).status).toBe(200);
  });

  it.each([
    [{ kind: 'error', status: 500 } as const, 500, 'InternalError'],
    [{ kind: 'error', status: 503 } as const, 503, 'ServiceUnavailable'],
    [{ kind: 'forbidden' } as const, 403, 'Forbidden'],
    [{ kind: 'unauthorized' } as const, 401, 'Unauthorized'],
    [{ kind: 'expired' } as const, 410, 'Expired'],
  ])('answers the Status of %o, as often as it was told to', async (fault, status, reason) => {
    const { faults } = await start([namespace('rec'), config('a'), config('b')]);
    const path = '/api/v1/namespaces/rec/configmaps?limit=1';
    const next = `${path}&continue=${pageOf((await ask(path)).text).continue}`;
    faults.add({ ...fault, times: 1 });
    const met = await ask(next);
    expect(met.status).toBe(status);
    expect(met.json()).toMatchObject({ kind: 'Status', code: status, reason });
    expect((await ask(next)).status).toBe(200);
  });

  it('meets only the requests that it names', async () => {
    const { faults } = await start([namespace('rec')]);
    faults.add({ kind: 'forbidden', path: 'GET /api/v1/pods' });
    expect((await ask('/api/v1/pods')).status).toBe(403);
    expect((await ask('/api/v1/namespaces')).status).toBe(200);
    faults.clear();
    expect((await ask('/api/v1/pods')).status).toBe(200);
  });

  it('breaks the connection before the answer', async () => {
    const { faults } = await start([]);
    faults.add({ kind: 'reset', times: 1 });
    await expect(ask('/version')).rejects.toThrow('fetch failed');
    expect((await ask('/version')).status).toBe(200);
  });

  it('answers late, and meanwhile others', async () => {
    const { faults } = await start([]);
    faults.add({ kind: 'slow', ms: 300, path: 'GET /version' });
    const order: string[] = [];
    await Promise.all([
      ask('/version').then(() => order.push('slow')),
      ask('/api/v1/pods').then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'slow']);
  });

  it('takes a request and never answers it, and still stops at once', async () => {
    const { faults, url, requests, stop } = await start([]);
    faults.add({ kind: 'hang', path: 'GET /version' });
    const hanging = fetch(`${url}/version`, { headers: { authorization: 'Bearer test-token' } });
    const ended = hanging.then(
      () => 'answered',
      () => 'cut off',
    );
    expect((await ask('/api/v1/pods')).status).toBe(200);
    while (!requests.some(({ path }) => path === '/version')) await turn();
    await stop();
    expect(await ended).toBe('cut off');
  });

  it('takes connections and answers nothing while it is paused', async () => {
    const { faults, url } = await start([]);
    faults.pause();
    let answered = false;
    const asked = ask('/version').then((answer) => {
      answered = true;
      return answer;
    });
    await fetch(`${url}/version`, { signal: AbortSignal.timeout(200) }).catch(() => undefined);
    expect(answered).toBe(false);
    faults.resume();
    expect((await asked).status).toBe(200);
  });

  it('is reached again at its address after it was killed', async () => {
    const { stop, start: again } = await start([namespace('rec')]);
    await stop();
    await expect(ask('/version')).rejects.toThrow('fetch failed');
    await again();
    expect((await ask('/api/v1/namespaces/rec')).status).toBe(200);
  });
});
