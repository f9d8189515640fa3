import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { diagnose, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import { type SandboxCluster, startSandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import { captureCluster } from '../../../../src-main/sources/cluster/bundle/index.ts';
import type { LiveCluster } from '../../../../src-main/sources/cluster/live/index.ts';
import { attention as attentionShape } from '../../../../src-shared/api/cluster.ts';
import { type Finding, type Report, report } from '../../../../src-shared/api/troubleshoot.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { newFolder } from '../../../support/started-console.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

describe('the broken sandbox', () => {
  let sandbox: SandboxCluster;
  let cluster: LiveCluster;
  let console_: TestConsole;
  let found: Report;

  beforeAll(async () => {
    sandbox = await startSandboxCluster({ still: true });
    const kubeconfig = join(newFolder(), 'kubeconfig');
    writeFileSync(kubeconfig, sandbox.kubeconfig);
    cluster = await liveCluster(kubeconfig, { context: 'sandbox' });
    console_ = await testConsole({}, { cluster });
    const answer = await fetch(`${console_.url}/api/troubleshoot`, {
      headers: { cookie: await console_.cookie() },
    });
    found = report.parse(await answer.json());
  });
  afterAll(async () => {
    await console_.close();
    cluster.close();
    await sandbox.close();
  });

  const key = ({ kind, namespace, name }: Finding['objects'][number]) =>
    [kind, namespace, name].filter(Boolean).join('/');
  const on = (object: string) =>
    found.findings.filter(({ objects }) => objects.some((each) => key(each) === object));

  it('is found out: every thing that is wrong on purpose, and nothing else (RTE-029)', () => {
    const objects = new Set(
      found.findings.flatMap(({ objects: [first] }) => (first === undefined ? [] : [key(first)])),
    );
    expect([...objects].sort()).toEqual(
      [
        'Deployment/platform/audit-export',
        'Deployment/campaign/bounce-reader',
        'Deployment/cockpit/alerts',
        'Deployment/cockpit/cockpit-runner',
        'Deployment/apps/quay-metrics',
        'Deployment/inference/northgate-medium',
        'Deployment/tenant-aspen/aspen-cockpit',
        'Deployment/tenant-birch/birch-cockpit',
        'Deployment/tenant-rowan/rowan-cockpit',
        'Deployment/tenant-willow/willow-cockpit',
        'ResourceQuota/tenant-aspen/compute',
        'CronJob/agents/licences',
        'CronJob/agents/accessibility',
        'Service/apps/tide-tables-legacy',
        'Service/campaign/bounces',
        'Ingress/apps/passes',
        'HTTPRoute/cockpit/figures',
        'Secret/tenant-aspen/mesh-ca',
        'Secret/tenant-rowan/mesh-ca',
        'Secret/tenant-willow/mesh-ca',
        'Node/worker-2',
      ].sort(),
    );
  });

  it.each([
    ['Deployment/platform/audit-export', 'log', /no credentials.*EXPORT_TOKEN/],
    ['Deployment/campaign/bounce-reader', 'container', /ImagePullBackOff: .*not found/],
    ['Deployment/apps/quay-metrics', 'pod', /3 Insufficient cpu/],
    ['Deployment/tenant-birch/birch-cockpit', 'log', /unknown embedding format: EMBEDDING_FORMAT must be/],
    ['Deployment/cockpit/alerts', 'event', /Readiness probe failed: HTTP probe failed with statuscode: 503/],
    ['Deployment/cockpit/cockpit-runner', 'http', /mesh_identity: The mesh leaf does not chain to the CA/],
    ['Deployment/tenant-aspen/aspen-cockpit', 'condition', /exceeded quota: compute/],
    ['Deployment/inference/northgate-medium', 'check', /ready again; its last run: OOMKilled/],
  ])('%s is found by its cause, not by that it fails', (object, kind, text) => {
    const [first] = on(object);
    expect(first?.evidence[0]).toMatchObject({ kind, text: expect.stringMatching(text) });
  });

  it('is found out from a bundle of it as well, with the files that say so', async () => {
    const file = join(newFolder(), 'sandbox.tar.gz');
    const signal = AbortSignal.timeout(60_000);
    await captureCluster({
      cluster,
      version: '0.0.0-test',
      file,
      onProgress: () => undefined,
      signal,
      now: Date.now,
    });
    const bundle = await opened(file);
    const offline = await diagnose(
      { id: 'bundle', cluster: bundle.cluster },
      { catalogue: readCatalogue(), now: () => Date.UTC(2040, 1), signal, onProgress: () => undefined },
    );
    const ids = ({ findings }: Report) => findings.map(({ id }) => id).sort();
    expect(ids(offline)).toEqual(ids(found));
    const logs = offline.findings.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === 'log'));
    expect(logs.map(({ ref, line }) => [ref, line])).toContainEqual([
      expect.stringMatching(/audit-export.*\.log$/),
      expect.any(Number),
    ]);
  });

  it('needs a person by its causes: the overview names them, and leads to findings that are there', async () => {
    // What the troubleshooter was asked for above is what the overview has.
    const answer = await fetch(`${console_.url}/api/dashboard`, {
      headers: { cookie: await console_.cookie() },
    });
    const { attention, diagnosis } = dashboardAnswer.parse(await answer.json());
    expect(diagnosis?.at).toBeDefined();
    expect(attention.map(({ title }) => title)).toContain(
      'The cockpit birch-cockpit: EMBEDDING_FORMAT is invalid',
    );
    const led = attention.flatMap(({ place }) => (place.tab === 'troubleshoot' ? [place.record] : []));
    expect(led.length).toBeGreaterThan(10);
    expect(led.filter((id) => !found.findings.some((finding) => finding.id === id))).toEqual([]);
    expect(new Set(attention.map(({ id }) => id)).size).toBe(attention.length);
  });

  it('is told with commands that name what they are for, and which nothing more must be put into', () => {
    const [broken] = on('Deployment/tenant-birch/birch-cockpit');
    expect(broken?.symptom).toBe('unknown-embedding-format');
    expect(broken?.fix.map(({ command }) => command)).toEqual([
      'kubectl -n tenant-birch set env Deployment/birch-cockpit --list',
      'kubectl -n tenant-birch edit clientinstance/birch-cockpit',
      'kubectl -n tenant-birch rollout status Deployment/birch-cockpit',
    ]);
    // One cause, one finding: that it does not answer follows from it.
    expect(on('Deployment/tenant-birch/birch-cockpit')).toHaveLength(1);
  });

  it('says of which workloads all logs were read, where those of others were not', () => {
    const [logs] = found.not_checked.filter(({ what }) => what === 'Logs');
    const whole = (logs?.whole_of ?? []).map(key);
    expect(whole).toContain('Deployment/tenant-birch/birch-cockpit');
    expect(whole).toContain('Deployment/platform/audit-export');
    // It is well, so nobody asked for its log.
    expect(whole).not.toContain('Deployment/apps/harbour-board');
  });

  it('is told worst first, and what is suspended or over as worth knowing', () => {
    const severities = found.findings.map(({ severity }) => severity);
    expect(severities).toEqual([...severities].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(on('CronJob/agents/accessibility').map(({ severity }) => severity)).toEqual(['info']);
    expect(on('Deployment/inference/northgate-medium').map(({ severity }) => severity)).toEqual(['info']);
  });
});

const order = ['critical', 'warning', 'info'];
const dashboardAnswer = z.object({
  attention: z.array(attentionShape),
  diagnosis: z.object({ at: z.string().optional(), running: z.boolean() }).optional(),
});
