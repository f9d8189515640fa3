import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { issueCertificate } from '../../../../src-main/kube-api/certificates.ts';
import { report } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { otherCa, rootCa, willowCa } from './certificates.ts';
import { object, readingCluster } from './harness.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, data: Record<string, string>, labels: Record<string, string> = {}): RawObject =>
  object('v1', 'Secret', { name, namespace: 'tenant-willow', labels }, { type: 'Opaque', data });

const willow = new X509Certificate(willowCa);
const day = 86_400_000;
/** A time at which `willowCa` has so many days left. */
const left = (days: number): number => willow.validToDate.getTime() - days * day;

async function security(objects: RawObject[], options: Parameters<typeof objectCluster>[1] = {}) {
  const { read } = await readingCluster(objectCluster(objects, { takenAt: left(60), ...options }));
  return read('cluster.security');
}

describe('mesh CAs', () => {
  it('are told by subject, fingerprint and days left, and their chain is checked (CON-095)', async () => {
    const { items, complete } = await security([
      secret('mesh-ca', { 'tls.crt': base64(willowCa), 'ca.crt': base64(rootCa), 'tls.key': base64('key') }),
    ]);
    expect(items).toMatchObject([
      { found_in: 'Secret mesh-ca, key ca.crt', subject: 'O=platform, CN=mesh root', chain_ok: true },
      {
        namespace: 'tenant-willow',
        found_in: 'Secret mesh-ca, key tls.crt',
        subject: 'O=platform, CN=mesh CA of willow',
        fingerprint: willow.fingerprint256,
        not_after: willow.validToDate.toISOString(),
        days_left: 60,
        chain_ok: true,
        state: 'healthy',
      },
    ]);
    expect(complete).toBe(true);
  });

  it('say nothing of a chain when there is only the one self-signed certificate', async () => {
    const { items } = await security([secret('mesh-ca', { 'ca.crt': base64(rootCa) })]);
    expect(items).toHaveLength(1);
    expect(items[0]).not.toHaveProperty('chain_ok');
  });

  it('are degraded in their last 30 days and failing once expired', async () => {
    const objects = [secret('mesh-ca', { 'tls.crt': base64(`${willowCa}${rootCa}`) })];
    expect((await security(objects, { takenAt: left(30.5) })).items[0]?.state).toBe('healthy');
    expect((await security(objects, { takenAt: left(12.5) })).items[0]).toMatchObject({
      days_left: 12,
      state: 'degraded',
      reason: 'expires in 12 days',
    });
    expect((await security(objects, { takenAt: left(-3.5) })).items[0]).toMatchObject({
      days_left: -4,
      state: 'failing',
      reason: 'expired 4 days ago',
    });
  });

  it('fail when the CA beside them only has the name of the one that signed them', async () => {
    const { items } = await security([
      secret('mesh-ca', { 'tls.crt': base64(willowCa), 'ca.crt': base64(otherCa) }),
    ]);
    expect(items[1]).toMatchObject({
      chain_ok: false,
      state: 'failing',
      reason: 'its issuer is not in the same place, or did not sign it',
    });
  });

  it('are found by name or label, in Secrets and ConfigMaps, as PEM or as base64 of it', async () => {
    const { items } = await security([
      secret('willow-mesh-ca', { 'ca.crt': base64(rootCa) }),
      secret('trust', { 'ca.crt': base64(rootCa) }, { 'platform.dev/mesh-ca': 'true' }),
      secret('unrelated', { 'ca.crt': base64(rootCa) }),
      object('v1', 'ConfigMap', { name: 'mesh-ca', namespace: 'mesh' }, { data: { 'ca.crt': rootCa } }),
      object(
        'v1',
        'ConfigMap',
        { name: 'old-mesh-ca', namespace: 'mesh' },
        { data: { 'ca.crt': base64(rootCa) } },
      ),
    ]);
    expect(items.map(({ found_in }) => found_in)).toEqual([
      'ConfigMap mesh-ca, key ca.crt',
      'ConfigMap old-mesh-ca, key ca.crt',
      'Secret trust, key ca.crt',
      'Secret willow-mesh-ca, key ca.crt',
    ]);
  });

  it('that hold no certificate are named, not passed over', async () => {
    const { items, complete, unmeasured } = await security([
      secret('mesh-ca', { 'ca.crt': base64('1338 bytes long') }),
      secret('empty-mesh-ca', { 'ca.key': base64('key') }),
    ]);
    expect(items).toEqual([]);
    expect(complete).toBe(false);
    expect(unmeasured).toEqual([
      'ca.crt of Secret mesh-ca in tenant-willow holds no certificate that can be read.',
      'Secret empty-mesh-ca in tenant-willow has neither ca.crt nor tls.crt.',
    ]);
  });

  it('are not known where Secrets may not be listed', async () => {
    const forbidden = (what: string) => ({ state: 'forbidden', gaps: [`Forbidden: list ${what}.`] }) as const;
    const answer = await security([], {
      states: { secrets: forbidden('secrets'), configmaps: forbidden('configmaps') },
    });
    expect(answer).toMatchObject({
      items: [],
      source: 'unavailable',
      complete: false,
      unmeasured: ['Forbidden: list secrets.', 'Forbidden: list configmaps.'],
    });
  });
});

describe('other certificates', () => {
  const now = left(60);
  const made = (name: string, from: number, to: number): string =>
    issueCertificate({ name, notBefore: now + from * day, notAfter: now + to * day }).cert;
  const kubeconfig = (pem: string): string =>
    `users:\n- user:\n    client-certificate-data: ${base64(pem)}\n    client-key-data: ${base64('a key')}\n`;
  const configMap = (name: string, data: Record<string, string>): RawObject =>
    object('v1', 'ConfigMap', { name, namespace: 'shop' }, { data });
  const tls = (name: string, pem: string): RawObject =>
    object(
      'v1',
      'Secret',
      { name, namespace: 'shop' },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': base64(pem), 'tls.key': base64('key') } },
    );
  const told = ({ certificates }: Awaited<ReturnType<typeof security>>) =>
    certificates.map(({ use, found_in, subject, state, reason, place_count }) => ({
      use,
      found_in,
      subject,
      state,
      ...(reason === undefined ? {} : { reason }),
      place_count,
    }));

  it('of TLS Secrets, ConfigMaps and kubeconfigs are judged, each once, what expires first before others', async () => {
    const shared = made('shared root', -10, 300);
    const answer = await security([
      tls('web', made('web', -90, -1)),
      tls('late', made('late', -80, 5)),
      configMap('trust', { 'ca.pem': shared }),
      configMap('trust-again', { 'bundle.txt': `# roots\n${shared}` }),
      configMap('no-certificate', { text: 'nothing' }),
      object(
        'v1',
        'Secret',
        { name: 'robot', namespace: 'shop' },
        { type: 'Opaque', data: { kubeconfig: base64(kubeconfig(made('robot', -90, -2))) } },
      ),
      configMap('viewer', { config: kubeconfig(made('viewer', -10, 90)) }),
    ]);
    expect(told(answer)).toEqual([
      {
        use: 'kubeconfig',
        found_in: 'Secret robot, key kubeconfig',
        subject: 'CN=robot',
        state: 'failing',
        reason: 'expired 2 days ago',
        place_count: 1,
      },
      {
        use: 'tls',
        found_in: 'Secret web, key tls.crt',
        subject: 'CN=web',
        state: 'failing',
        reason: 'expired 24 h ago',
        place_count: 1,
      },
      {
        use: 'tls',
        found_in: 'Secret late, key tls.crt',
        subject: 'CN=late',
        state: 'degraded',
        reason: 'expires in 5 days',
        place_count: 1,
      },
      {
        use: 'kubeconfig',
        found_in: 'ConfigMap viewer, key config',
        subject: 'CN=viewer',
        state: 'healthy',
        place_count: 1,
      },
      {
        use: 'ca_bundle',
        found_in: 'ConfigMap trust, key ca.pem',
        subject: 'CN=shared root',
        state: 'healthy',
        place_count: 2,
      },
    ]);
    expect(answer.items).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('a key');
  });

  it('that expired in a bundle of CAs harm nobody while another of it is valid, and everybody once none is', async () => {
    const old = made('old root', -900, -1);
    const rotated = await security([configMap('ca', { 'ca.crt': `${old}${made('new root', -10, 800)}` })]);
    expect(told(rotated)[1]).toMatchObject({
      subject: 'CN=old root',
      state: 'idle',
      reason: 'expired 24 h ago; others of its bundle are valid',
    });
    const dead = await security([configMap('ca', { 'ca.crt': old })]);
    expect(told(dead)).toMatchObject([{ subject: 'CN=old root', state: 'failing' }]);
  });

  it('that a bundle left out are said to be left out, not passed over', async () => {
    const answer = await security(
      [
        tls('elided', '1338 bytes long'),
        object('v1', 'Secret', { name: 'password', namespace: 'shop' }, { data: { password: base64('x') } }),
      ],
      { source: 'bundle' },
    );
    expect(answer).toMatchObject({
      certificates: [],
      complete: false,
      unmeasured: [
        'Certificates of 1 Secret were left out when the bundle was captured: they were not judged.',
      ],
    });
  });

  it('that fail are found by the overview and by Troubleshoot, as ill as their page has them', async () => {
    const cluster = objectCluster(
      [
        tls('web', made('web', -90, -1)),
        configMap('viewer', { config: kubeconfig(made('viewer', -90, 4)) }),
        configMap('trust', { 'ca.crt': made('root', -90, -3) }),
      ],
      { takenAt: now },
    );
    const { read, get } = await readingCluster(cluster);
    const { findings } = report.parse(JSON.parse((await get('/api/troubleshoot')).text));
    expect(findings.map(({ symptom, severity, title }) => [symptom, severity, title])).toEqual([
      ['tls-certificate-expired', 'critical', 'The certificate in the Secret web has expired'],
      ['held-certificate-expired', 'critical', 'The certificate in ConfigMap trust has expired'],
      [
        'kubeconfig-certificate-expires-soon',
        'warning',
        'A certificate of the kubeconfig in ConfigMap viewer expires soon',
      ],
    ]);
    const { attention } = await read('cluster.dashboard');
    expect(attention.map(({ state, object: on }) => [state, on?.kind, on?.name])).toEqual([
      ['failing', 'Secret', 'web'],
      ['failing', 'ConfigMap', 'trust'],
      ['degraded', 'ConfigMap', 'viewer'],
    ]);
  });

  it('of a must-gather are judged at the time of its capture, its thousands of blocks each once', async () => {
    const samples = resolve(repoRoot, process.env.BUNDLE_SAMPLES ?? '../shared/bundles', 'must-gather');
    if (!existsSync(samples)) return;
    const [file = ''] = readdirSync(samples);
    const { cluster } = await opened(join(samples, file));
    const { read } = await readingCluster(cluster);
    const { certificates, unmeasured } = await read('cluster.security');
    expect(certificates.length).toBeGreaterThan(250);
    expect(certificates.reduce((sum, { place_count }) => sum + place_count, 0)).toBeGreaterThan(3_000);
    expect(certificates.filter(({ days_left }) => days_left < 0)).toEqual([]);
    expect(certificates.filter(({ days_left }) => days_left < 30).length).toBeGreaterThan(15);
    expect(certificates.every(({ places }) => places.length <= 5)).toBe(true);
    expect(unmeasured.join(' ')).toMatch(
      /Certificates of \d+ Secrets were left out when the bundle was captured/,
    );
  });
});
