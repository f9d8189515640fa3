import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { logText, opened } from '../../../../support/opened-bundle.ts';
import { bundleOf } from '../../../../support/tar-bytes.ts';

// Logs of each layout: which there are, which there were none of, and which could not be collected.

const podWith = (restartCount: number): string =>
  `apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: web, namespace: shop}\n  spec: {}\n  status: {containerStatuses: [{name: app, restartCount: ${restartCount}}]}\n`;
const gathered = 'm/namespaces/shop/pods/web/app/app/logs';

describe('of a support bundle', () => {
  const files = {
    'sb/cluster-resources/pods/logs/shop/web/app.log': 'one\ntwo\nthree\n',
    'sb/cluster-resources/pods/logs/shop/web/app-previous.log': 'crashed',
    'sb/cluster-resources/pods/logs/shop/web/init-logs-errors.log': 'container "init" is waiting to start',
  };

  it('reads the log, the previous one, and the newest lines, from an archive and from a folder', async () => {
    for (const bundle of [await opened(bundleOf(files)), await opened(files)]) {
      expect(await logText(bundle, 'shop/web/app')).toBe('one\ntwo\nthree\n');
      expect(await logText(bundle, 'shop/web/app', { previous: true })).toBe('crashed');
      expect(await logText(bundle, 'shop/web/app', { tail: 2 })).toBe('two\nthree\n');
      expect(await logText(bundle, 'shop/web/app', { tail: 9 })).toBe('one\ntwo\nthree\n');
      expect(await logText(bundle, 'shop/web/app', { previous: true, tail: 1 })).toBe('crashed');
    }
  });

  it('tells why a log is not there', async () => {
    const bundle = await opened(bundleOf(files));
    expect(await logText(bundle, 'shop/web/init')).toBe(
      'unread: The log could not be collected: container "init" is waiting to start',
    );
    expect(await logText(bundle, 'shop/web/other')).toMatch(
      /^missing: The bundle holds no log of container other/,
    );
  });

  it('reads the newest lines of a log that is longer than what is read at a time', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}\n`);
    const bundle = await opened({ 'cluster-resources/pods/logs/shop/web/app.log': lines.join('') });
    expect(await logText(bundle, 'shop/web/app', { tail: 20_000 })).toBe(lines.slice(-20_000).join(''));
  });
});

describe('of a must-gather', () => {
  it('joins rotated parts, packed or not, with the run they are of', async () => {
    const bundle = await opened(
      bundleOf({
        'm/namespaces/shop/core/pods.yaml': podWith(1),
        [`${gathered}/current.log`]: 'now\n',
        [`${gathered}/previous.log`]: 'before\n',
        [`${gathered}/rotated/1.log.20240102-000000`]: 'second\n',
        [`${gathered}/rotated/1.log.20240101-000000.gz`]: gzipSync('first\n'),
        [`${gathered}/rotated/0.log.20231231-000000.gz`]: gzipSync('long ago\n'),
      }),
    );
    expect(await logText(bundle, 'shop/web/app')).toBe('first\nsecond\nnow\n');
    expect(await logText(bundle, 'shop/web/app', { previous: true })).toBe('long ago\nbefore\n');
    expect(await logText(bundle, 'shop/web/app', { tail: 3 })).toBe('first\nsecond\nnow\n');
    expect(await logText(bundle, 'shop/web/app', { tail: 2 })).toBe('second\nnow\n');
  });

  it('reads a part that is there packed and unpacked once', async () => {
    const bundle = await opened(
      bundleOf({
        [`${gathered}/rotated/1.log.20240101-000000`]: 'once\n',
        [`${gathered}/rotated/1.log.20240101-000000.gz`]: gzipSync('once\n'),
        'm/namespaces/shop/core/pods.yaml': podWith(1),
      }),
    );
    expect(await logText(bundle, 'shop/web/app')).toBe('once\n');
  });

  it('takes an empty previous log for none', async () => {
    const bundle = await opened(
      bundleOf({
        'm/namespaces/shop/core/pods.yaml': podWith(0),
        [`${gathered}/current.log`]: '',
        [`${gathered}/previous.log`]: '',
      }),
    );
    expect(await logText(bundle, 'shop/web/app')).toBe('');
    expect(await logText(bundle, 'shop/web/app', { previous: true })).toMatch(
      /^missing: The bundle holds no previous log/,
    );
  });

  it('says what is broken in a packed part instead of ending quietly', async () => {
    const bundle = await opened(
      bundleOf({
        'm/namespaces/shop/core/pods.yaml': podWith(1),
        [`${gathered}/rotated/1.log.20240101-000000.gz`]: Buffer.from('no gzip at all'.repeat(500)),
      }),
    );
    await expect(logText(bundle, 'shop/web/app')).rejects.toThrow(
      /A rotated part of the log cannot be unpacked/,
    );
  });

  it('unpacks the log of a kubelet when it is asked for as the kubelet is', async () => {
    const bundle = await opened(
      bundleOf({
        'm/namespaces/shop/core/pods.yaml': podWith(1),
        'm/nodes/n1/n1_logs_kubelet.gz': gzipSync('kubelet says\n'),
      }),
    );
    const signal = AbortSignal.timeout(10_000);
    expect(await bundle.cluster.httpGet('/api/v1/nodes/n1/proxy/logs/?query=kubelet', signal)).toEqual({
      state: 'read',
      status: 200,
      body: 'kubelet says\n',
    });
    expect(await bundle.cluster.httpGet('/healthz', signal)).toMatchObject({ state: 'unread' });
  });
});

describe('of a cluster-info dump', () => {
  const start = (container: string): string =>
    `==== START logs for container ${container} of pod shop/web ====\n`;
  const end = (container: string): string =>
    `==== END logs for container ${container} of pod shop/web ====\n`;
  const dump = (log: string): Record<string, unknown> => ({
    'nodes.json': { kind: 'NodeList', apiVersion: 'v1', items: [] },
    'shop/pods.json': {
      kind: 'PodList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'web' }, spec: {}, status: {} }],
    },
    'shop/web/logs.txt': log,
  });

  it('divides the one file, also where the last line runs into the marker', async () => {
    const bundle = await opened(
      dump(
        `${start('init')}prepared${end('init')}${start('app')}one\ntwo\n${end('app')}${start('none')}${end('none')}`,
      ),
    );
    expect(await logText(bundle, 'shop/web/init')).toBe('prepared');
    expect(await logText(bundle, 'shop/web/app')).toBe('one\ntwo\n');
    expect(await logText(bundle, 'shop/web/app', { tail: 1 })).toBe('two\n');
    expect(await logText(bundle, 'shop/web/none')).toBe('');
    expect(await logText(bundle, 'shop/web/app', { previous: true })).toMatch(/^missing/);
  });

  it('is not misled by lines of a log that look like markers', async () => {
    const log = `said ${start('other')}${end('app')}and went on\n`;
    const bundle = await opened(dump(`${start('app')}${log}${end('app')}`));
    expect(await logText(bundle, 'shop/web/app')).toBe(log);
    expect(await logText(bundle, 'shop/web/other')).toMatch(/^missing/);
  });

  it('finds markers wherever they lie in a long file', async () => {
    const log = `${'x'.repeat(65_500)}\n`.repeat(3);
    const bundle = await opened(dump(`${start('a')}${log}${end('a')}${start('b')}last\n${end('b')}`));
    expect(await logText(bundle, 'shop/web/a')).toBe(log);
    expect(await logText(bundle, 'shop/web/b')).toBe('last\n');
  });

  it('takes what kubectl writes instead of a log for the reason why there is none', async () => {
    const bundle = await opened(
      dump(`${start('app')}Create log request error: container "app" is not valid\n${end('app')}`),
    );
    expect(await logText(bundle, 'shop/web/app')).toBe(
      'unread: The log could not be collected: container "app" is not valid',
    );
  });
});
