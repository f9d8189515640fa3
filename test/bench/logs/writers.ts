import { z } from 'zod';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { startTestCluster } from '../../support/kube-api.ts';

// A cluster in a process of its own, whose pods write numbered lines at a rate. Told `go`, it writes for so many seconds; the
// connections are cut each 15 s.

const settings = z
  .object({ pods: z.number(), rate: z.number(), seconds: z.number() })
  .parse(JSON.parse(process.argv[2] ?? '{}'));
const { pods, rate, seconds } = settings;
const names = Array.from({ length: pods }, (_, index) => `web-${index}`);
const pod = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'i' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state: { running: {} } }],
  },
});
const cluster = await startTestCluster([
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  ...names.map(pod),
]);
process.send?.({ kubeconfig: cluster.kubeconfig });

const everyMs = 50;
process.on('message', () => {
  const begun = performance.now();
  let written = 0;
  let cuts = 0;
  const filler = 'x'.repeat(70);
  const timer = setInterval(() => {
    const elapsed = Math.min(performance.now() - begun, seconds * 1000);
    const due = Math.floor((elapsed / 1000) * rate);
    for (; written < due; written += 1)
      for (const name of names)
        cluster.world.containerLogs.append(`shop/${name}/main`, `${name} ${written} ${filler}\n`);
    if (elapsed > (cuts + 1) * 15_000 && elapsed < seconds * 1000 - 1_000) {
      cuts += 1;
      cluster.faults.cutStreams();
    }
    if (elapsed < seconds * 1000) return;
    clearInterval(timer);
    process.send?.({ written, cuts });
  }, everyMs);
});
