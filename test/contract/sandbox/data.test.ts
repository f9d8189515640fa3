import { rmSync } from 'node:fs';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningConsole, startConsole } from '../../../src-main/start/start-console.ts';
import { callJson } from '../../support/data-source-clients.ts';
import { newFolder } from '../../support/started-console.ts';

describe('the data of the sandbox', () => {
  const folder = newFolder();
  let running: RunningConsole;
  let cookie: string;
  beforeAll(async () => {
    running = await startConsole({
      env: { CONSOLE_LOG_LEVEL: 'error', CONSOLE_DATA_DIR: folder },
      sandbox: true,
    });
    const link = new URL((await running.signInLink()) ?? '');
    const answer = await request(`${running.url}${link.pathname}${link.search}`);
    cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    await answer.body.dump();
  }, 60_000);
  afterAll(async () => {
    await running?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = async (path: string) => (await callJson(running, 'GET', path, { cookie })).json;
  const named = async (path: string, name: string) =>
    (await read(path)).items.find((item: { name: string }) => item.name === name);

  it('fills every page of data: connections tested each with another end, a live runner, listeners, domains', async () => {
    await expect
      .poll(
        async () =>
          (await read('/api/connectors/status')).items.map(
            ({ outcome, failed_step = '-' }: { outcome: string; failed_step?: string }) =>
              `${outcome} ${failed_step}`,
          ),
        { timeout: 15_000 },
      )
      .toEqual([
        'failed tls',
        'reachable -',
        'failed protocol',
        'failed tls',
        'reachable -',
        'refused address',
        'reachable -',
        'reachable -',
        'failed tls',
      ]);
    const runners = (await read('/api/runners')).items;
    expect(runners.map(({ name, state }: Record<string, string>) => [name, state])).toEqual([
      ['antwerp-old', 'revoked'],
      ['hamburg-2', 'enrolling'],
      ['rotterdam-1', 'connected'],
    ]);
    expect((await read('/api/domains')).items[0]).toMatchObject({ name: 'orders', by: 'naming' });
    expect((await read('/api/finops')).pricing.priced_nodes).toContain('willow-1');
  });

  it('is reported by its machines and agents at the doors that are for them', async () => {
    await expect
      .poll(async () => (await read('/api/data-governance-findings')).items.length, { timeout: 10_000 })
      .toBeGreaterThan(3);
    const { edges } = await read('/api/data-lineage');
    const observed = edges.filter((edge: { observed?: object }) => edge.observed !== undefined);
    expect(observed.length).toBeGreaterThan(5);
    expect(observed.some(({ declared }: { declared: boolean }) => declared)).toBe(true);
  });

  it('is no part of the operator’s own: no record of it in the trail, changed where it is kept, gone with the sandbox', async () => {
    const actors = (await read('/api/audit?limit=200')).items.map(({ actor }: { actor: string }) => actor);
    expect(actors).not.toContain('sandbox');
    const body = {
      name: 'own',
      type: 'http',
      tenant: 'northgate',
      settings: { url: 'https://api.northgate.example/' },
    };
    expect((await callJson(running, 'POST', '/api/connections', { cookie, body })).status).toBe(200);
    const { id } = await named('/api/connections', 'ledger');
    const changed = await callJson(running, 'PUT', `/api/connections/${id}`, {
      cookie,
      body: { tenant: 'willow' },
    });
    expect([changed.status, changed.json.tenant]).toEqual([200, 'willow']);
    const refreshed = await callJson(running, 'POST', '/api/connectors/status/refresh', {
      cookie,
      body: { ids: [id] },
    });
    expect(refreshed.json.items[0]).toMatchObject({ connection_id: id, outcome: 'refused' });
    expect((await callJson(running, 'DELETE', '/api/sandbox', { cookie })).status).toBe(200);
    const left = (await read('/api/connections')).items.map(({ name }: { name: string }) => name);
    expect(left).toEqual(['own']);
    expect((await read('/api/runners')).items).toEqual([]);
  });
});
