import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { kubeconfigText } from '../../../../src-main/kube-api/index.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { listen, stopServer } from '../studio/proxy-harness.ts';
import { readingCluster } from './harness.ts';

it.each([
  ['a page of a proxy', 'text/html', '<html>upstream sekret-body failed</html>'],
  [
    'a Status',
    'application/json',
    JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      code: 500,
      message: 'etcd is away',
      extra: 'sekret-body',
    }),
  ],
])(
  'an error of the API server never shows its headers, its body or our token: %s',
  async (_what, type, body) => {
    const server = createServer((_request, response) => {
      response.writeHead(500, { 'content-type': type, 'x-backend-key': 'sekret-header' });
      response.end(body);
    });
    const port = await listen(server);
    onTestFinished(() => stopServer(server));
    const folder = mkdtempSync(join(tmpdir(), 'cluster-failures-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      kubeconfigText({ name: 'test', server: `http://127.0.0.1:${port}`, token: 'sekret-token' }),
    );
    const cluster = await liveCluster(kubeconfig);
    onTestFinished(() => cluster.close());
    const { get } = await readingCluster(cluster);
    for (const path of ['/api/dashboard', '/api/namespaces', '/api/objects/Node/one', '/api/targets']) {
      const { status, text } = await get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(text).not.toMatch(/sekret|x-backend-key|<html>/);
    }
    expect((await get('/api/namespaces')).text).toContain(`127.0.0.1:${port}`);
  },
);
