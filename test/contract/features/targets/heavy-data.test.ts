import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { longestHold } from '../../../support/longest-hold.ts';
import { bundleOf, tarBytes } from '../../../support/tar-bytes.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

/** Milliseconds for which one person's request may keep everybody else waiting. */
const mostHeld = 200;

let console_: TestConsole;
let cookie: string;
beforeEach(async () => {
  console_ = await testConsole();
  cookie = await console_.cookie();
});
afterEach(() => console_.close());

async function get(path: string) {
  const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
  return { status: statusCode, text: await body.text() };
}

/** Uploads a bundle; returns it once it is open, or has failed. */
async function uploaded(
  bundle: Buffer,
): Promise<{ id: string; state: string; gaps: string[]; detail?: string }> {
  const { body, statusCode } = await request(`${console_.url}/api/bundles?name=heavy.tar.gz`, {
    method: 'POST',
    headers: { cookie, origin: console_.url, 'content-type': 'application/octet-stream' },
    body: bundle,
  });
  const answer = JSON.parse(await body.text());
  expect(statusCode, JSON.stringify(answer)).toBe(200);
  for (;;) {
    const { items } = JSON.parse((await get('/api/bundles')).text);
    const found = items.find(({ id }: { id: string }) => id === answer.id);
    if (found.state !== 'opening') return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const yamlOf = (kind: string, name: string, id: string) =>
  get(`/api/objects/${kind}/${name}?namespace=shop&target=bundle:${id}`);

const configMap = (name: string, data: unknown) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data,
});

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, `value of ${i}`]));

describe('one person, whatever the data, keeps nobody waiting:', () => {
  it('an object as large as etcd stores one is written as YAML beside the main thread', async () => {
    const bundle = bundleOf({ 'cm.json': configMap('large', entries(40_000)) });
    const { id } = await uploaded(bundle);
    const answers: { status: number; text: string }[] = [];
    const held = await longestHold(async () => {
      answers.push(...(await Promise.all([1, 2].map(() => yamlOf('ConfigMap', 'large', id)))));
    });
    for (const { text } of answers) expect(JSON.parse(text).yaml).toContain('key-39999: value of 39999');
    expect(held).toBeLessThan(mostHeld);
  });

  it('an object of 24 MB is not shown, and the answer says why', async () => {
    const bundle = bundleOf({ 'cm.json': configMap('huge', { text: 'x'.repeat(24 * 1024 * 1024) }) });
    const { id } = await uploaded(bundle);
    const held = await longestHold(async () => {
      const { status, text } = await yamlOf('ConfigMap', 'huge', id);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ complete: false, source: 'unavailable' });
      expect(text).toContain('is larger than 4 MB, which no Kubernetes object is');
    });
    expect(held).toBeLessThan(mostHeld);
  });

  it.each([1000, 5000, 10_000, 100_000])(
    'an object nested %i deep is answered with the reason',
    async (levels) => {
      const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
      const object = JSON.stringify(configMap('deep', 'DEEP')).replace('"DEEP"', deep);
      const { id } = await uploaded(bundleOf({ 'cm.json': object }));
      const { status, text } = await yamlOf('ConfigMap', 'deep', id);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ complete: false });
      expect(text).toContain('deep');
    },
  );

  it('a pasted text of two million characters is explained beside the main thread', async () => {
    const line = 'Warning  BackOff  2m  kubelet  Back-off restarting failed container\n';
    for (const text of [' '.repeat(1_900_000), '\n'.repeat(1_900_000), line.repeat(28_000)]) {
      const body = JSON.stringify({ text });
      const held = await longestHold(async () => {
        const answer = await request(`${console_.url}/api/troubleshoot/text`, {
          method: 'POST',
          headers: { cookie, origin: console_.url, 'content-type': 'application/json' },
          body,
        });
        expect(answer.statusCode).toBe(200);
        expect(JSON.parse(await answer.body.text())).toHaveProperty('findings');
      });
      expect(held).toBeLessThan(mostHeld);
    }
  });

  it('10,000 pods behind 3,000 services of one selector are looked at once', async () => {
    const labels = { app: 'web' };
    const pods = Array.from({ length: 10_000 }, (_, i) => ({
      metadata: { name: `web-${i}`, namespace: 'shop', labels },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
      status: { phase: 'Running' },
    }));
    const services = Array.from({ length: 3000 }, (_, i) => ({
      metadata: { name: `web-${i}`, namespace: 'shop' },
      spec: { selector: labels, ports: [{ port: 80 }] },
    }));
    const { id } = await uploaded(
      bundleOf({
        'cluster-resources/pods/shop.json': { kind: 'PodList', apiVersion: 'v1', items: pods },
        'cluster-resources/services/shop.json': { kind: 'ServiceList', apiVersion: 'v1', items: services },
      }),
    );
    const held = await longestHold(async () => {
      const { status, text } = await get(`/api/services?target=bundle:${id}`);
      expect(status, text.slice(0, 300)).toBe(200);
    });
    expect(held).toBeLessThan(mostHeld);
  });
});

describe('a bundle is opened, as far as it can be, although', () => {
  const pod = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one', namespace: 'shop' },
  });

  it('a header says that a file was changed in a year that no calendar has', async () => {
    for (const mtime of ['1e300', '-1e300', '9e15', 'Infinity']) {
      const record = `mtime=${mtime}\n`;
      const length = record.length + 3;
      const bundle = tarBytes([
        { name: 'pax', type: 'x', content: `${length} ${record}` },
        { name: 'pod.json', content: pod },
      ]);
      const { state, detail } = await uploaded(bundle);
      expect(state, detail).toBe('open');
    }
  });

  it('a file that looks like an answer of an address is none', async () => {
    const bundle = bundleOf({
      'cluster-resources/pods/shop.json': pod,
      'other.json': '{ "response": nonsense',
    });
    const { state, detail } = await uploaded(bundle);
    expect(state, detail).toBe('open');
  });

  it('it has objects of 20,000 kinds: those of the first 2,000 are read, and the bundle says so', async () => {
    const objects = Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({ apiVersion: `g${i}.example/v1`, kind: `K${i}`, metadata: { name: 'one' } }),
    );
    const { state, gaps } = await uploaded(bundleOf({ 'all.json': `${objects.join('\n')}\n${pod}` }));
    expect(state).toBe('open');
    expect(gaps.join()).toContain('more than 2000 custom kinds: 18000 objects of the others were not read');
  });
});
