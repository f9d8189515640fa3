import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { opened } from '../../../support/opened-bundle.ts';
import { type TarBytesEntry, tarGz } from '../../../support/tar-bytes.ts';
import { diagnosisOf } from './harness.ts';

// What sample bundles showed that the diagnosis of a bundle missed, or told wrongly.

const podOf = (name: string, ready: boolean) => ({
  metadata: { name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'web',
        ready,
        restartCount: ready ? 0 : 9,
        state: ready ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } },
      },
    ],
  },
});
const log = (pod: string, content: string | Buffer): TarBytesEntry => ({
  name: `sb/cluster-resources/pods/logs/shop/${pod}/web.log`,
  content,
});
const pods = (...list: readonly object[]): TarBytesEntry => ({
  name: 'sb/cluster-resources/pods/shop.json',
  content: JSON.stringify(list),
});
const refused = 'dial tcp 10.0.0.1:9999: connect: connection refused\n';

describe('the diagnosis of a bundle', () => {
  it('finds what the log of the failing pod says after logs of others that say it thousands of times', async () => {
    const others = Array.from({ length: 60 }, (_, i) => `a${i}`);
    const { cluster } = await opened(
      tarGz([
        pods(...others.map((name) => podOf(name, true)), podOf('z', false)),
        ...others.map((name) => log(name, refused.repeat(300))),
        log('z', refused),
      ]),
    );
    const { report } = await diagnosisOf(cluster);
    expect(report.findings.map(({ symptom, objects }) => `${symptom} ${objects[0]?.name}`)).toContain(
      'connection-refused z',
    );
  });

  it('says so of a packed log that was cut off', async () => {
    const packed = gzipSync(Array.from({ length: 5000 }, (_, i) => `line ${i * 7919}\n`).join(''));
    const { cluster } = await opened(
      tarGz([
        pods(podOf('a', true)),
        { name: 'sb/a.log.gz', content: packed.subarray(0, packed.length / 2) },
      ]),
    );
    const { report } = await diagnosisOf(cluster);
    expect(report.not_checked.map(({ reason }) => reason).join('\n')).toContain(
      '"sb/a.log.gz" was looked through only in part',
    );
  });

  it('judges no path of an Ingress of extensions/v1beta1 as one that leads to no service', async () => {
    const { cluster } = await opened({
      'ingress.json': {
        apiVersion: 'extensions/v1beta1',
        kind: 'Ingress',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          rules: [
            {
              host: 'a.example',
              http: { paths: [{ path: '/', backend: { serviceName: 'web', servicePort: 80 } }] },
            },
          ],
        },
      },
      'service.json': {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { ports: [{ port: 80 }] },
      },
    });
    const { report } = await diagnosisOf(cluster);
    expect(report.findings.map(({ symptom }) => symptom)).not.toContain('route-backend-missing');
  });
});
