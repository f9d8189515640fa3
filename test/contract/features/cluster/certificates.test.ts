import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
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
