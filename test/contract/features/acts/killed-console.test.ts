import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActHistoryItem, ActPreview } from '../../../../src-shared/api/acts.ts';
import type { AuditItem } from '../../../../src-shared/api/audit.ts';
import { deployment, deploymentNamed, newKey, settleWorkloads } from '../../../support/acts.ts';
import { type ServingConsole, serveConsole } from '../../../support/console-process.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';

describe('a console that is killed (SIGKILL) while it acts', () => {
  let folder: string;
  let cluster: TestCluster;
  let console_: ServingConsole;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'killed-'));
    cluster = await startTestCluster([deployment('web')]);
    settleWorkloads(cluster);
  });
  afterEach(async () => {
    await console_.stop();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['carried out', undefined, 'done', 'success'],
    ['not carried out', 'hang', 'failed', 'failure'],
  ] as const)(
    'finds out at its next start that the act was %s, and records it',
    async (found, fault, state, outcome) => {
      const env = {
        CONSOLE_KUBECONFIG: cluster.kubeconfig,
        CONSOLE_WRITABLE_TARGETS: 'test',
        CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
      };
      const data = join(folder, 'data');
      console_ = await serveConsole(data, env);
      const restart = { target: 'test', act: 'restart', object: deploymentNamed('web'), args: {} };
      let cookie = await console_.cookie();
      const post = (path: string, body: object) =>
        fetch(`${console_.url}${path}`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const { digest } = (await (await post('/api/acts/preview', restart)).json()) as ActPreview;
      const written = 'PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager';
      if (fault !== undefined) cluster.faults.add({ kind: fault, path: written });
      const ended = new Promise((resolve) => console_.child.once('close', resolve));
      cluster.onRequest = ({ method, path }) => {
        if (written.startsWith(method) && path.includes('?fieldManager')) console_.child.kill('SIGKILL');
      };
      const key = newKey();
      await expect(post('/api/acts/perform', { ...restart, digest, key })).rejects.toThrow();
      await ended;

      cluster.onRequest = undefined;
      console_ = await serveConsole(data, env);
      cookie = await console_.cookie();
      const get = async <T>(path: string): Promise<T> =>
        (await (await fetch(`${console_.url}${path}`, { headers: { cookie } })).json()) as T;
      const act = async () =>
        (await get<{ items: ActHistoryItem[] }>(`/api/acts/history?key=${key}&target=test`)).items[0];
      await expect.poll(async () => (await act())?.state).toBe(state);
      expect((await act())?.progress).toContain(
        `Outcome unknown when the console ended, found out as: ${found}.`,
      );
      const { items } = await get<{ items: AuditItem[] }>('/api/audit');
      expect(
        items.filter(({ action }) => action.startsWith('acts.')).map((each) => [each.action, each.outcome]),
      ).toEqual([
        ['acts.perform', outcome],
        ['acts.begin', 'success'],
      ]);
      expect(await get<object>('/api/audit/verify')).toMatchObject({ intact: true });
    },
  );
});
