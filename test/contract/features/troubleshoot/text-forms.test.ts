import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RawObject, resources } from '../../../../src-main/cluster-model/index.ts';
import { diagnose, diagnoseText, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import type { Finding } from '../../../../src-shared/api/troubleshoot.ts';
import { aligned, describeText, eventsText } from '../../../support/kubectl-text.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { made, type Situation, situation } from './symptom-situations.ts';

// The same situations as objects of a cluster and as the texts that kubectl prints of them: one root cause in all.

const catalogue = readCatalogue();
const fixtures = join(repoRoot, 'test/fixtures/symptoms');
const situations = z.record(
  z.string(),
  z.strictObject({ finds: z.array(situation).min(1), passes: z.array(situation).min(1) }),
);
const files = ['situations-pods.yaml', 'situations-cluster.yaml'];
const cases = files.flatMap((file) =>
  Object.entries(situations.parse(load(readFileSync(join(fixtures, file), 'utf8')))).flatMap(
    ([id, { finds, passes }]) => [
      ...finds.map((it, i) => ({ id, finds: true, name: `${id} ${i + 1}`, it })),
      ...passes.map((it, i) => ({ id, finds: false, name: `not ${id} ${i + 1}`, it })),
    ],
  ),
);

/** What no text of objects shows: logs, answers of backends, certificates of Secrets. */
const isShown = ({ log, backend, certificate }: Situation): boolean =>
  log === undefined && backend === undefined && certificate === undefined;

/** Kubectl describes no reason of a condition of a pod; the scheduler's event has it. */
const notDescribed = new Set(['unschedulable 1', 'scheduling-gated 1']);

/** Objects alone do not show for how long they have been so. */
const notTimed = new Set(['pod-not-ready 1', 'pod-not-ready 2']);

const idsIn = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ symptom, explains }) => [symptom, ...explains]);

async function inObjects(objects: RawObject[], now: number): Promise<string[]> {
  const absent = resources.everyKind.filter(({ kind }) => !objects.some((object) => object.kind === kind));
  const states = absent.map(({ group, plural }) => [
    group === '' ? plural : `${plural}.${group}`,
    { state: 'not_collected' as const, gaps: [`No ${plural}.`] },
  ]);
  const present = resources.everyKind
    .filter(({ kind }) => objects.some((object) => object.kind === kind))
    .map(({ group, plural }) => [
      group === '' ? plural : `${plural}.${group}`,
      { state: 'partly' as const, gaps: ['Not all of it-is-not-here.'] },
    ]);
  const { findings } = await diagnose(
    { id: 'a', cluster: objectCluster(objects, { states: Object.fromEntries([...states, ...present]) }) },
    { catalogue, now: () => now, signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
  );
  return idsIn(findings);
}

const isEvent = ({ kind }: RawObject): boolean => kind === 'Event';
const inText = async (text: string): Promise<string[]> =>
  idsIn((await diagnoseText(text, catalogue)).findings);

/** Objects as documents of one YAML text. */
const yaml = (objects: readonly RawObject[]): string =>
  objects.map((object) => dump(JSON.parse(JSON.stringify(object)))).join('---\n');

describe('a situation is found in every form', () => {
  const shown = cases.filter(({ it: one, name }) => isShown(one) && !notTimed.has(name));

  it('has a hundred situations to show', () => expect(shown.length).toBeGreaterThan(100));

  it.each(shown)('$name', async ({ id, finds, it: one, name }) => {
    const now = Date.now();
    const { objects } = made(one, 'shop');
    const found = await inObjects(objects, now);
    // What needs a kind that is not among the objects is found in no form of them.
    const expected = finds && found.includes(id);
    const events = objects.filter(isEvent);
    const plain = objects.filter((object) => !isEvent(object));
    const described = plain.map((object) => describeText(object, events, { now }));
    const forms: Record<string, string | undefined> = {
      yaml: yaml(objects),
      json: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 4),
      describe:
        plain.length === 0 || described.includes(undefined) || notDescribed.has(name)
          ? undefined
          : described.join('\n\n\n'),
      ...(plain.length === 0 ? { events: eventsText(events, { now }) } : {}),
    };
    for (const [form, text] of Object.entries(forms)) {
      if (text === undefined) continue;
      const own = await inText(text);
      if (expected) expect.soft(own, `${name} as ${form}\n${text}`).toContain(id);
      else if (!finds) expect.soft(own, `${name} as ${form}\n${text}`).not.toContain(id);
    }
  });
});

/** What people paste with a text, each by how it changes the text; findings stay what they are. */
const noises: Readonly<Record<string, (text: string) => string>> = {
  'a prompt with the command': (text) => `user@host:~/shop$ kubectl describe it\n${text}\nuser@host:~/shop$ `,
  colours: (text) => text.replaceAll(/^(\s*)([A-Z][\w ]+:)/gm, '$1\u001b[1;33m$2\u001b[0m'),
  'line numbers': (text) =>
    text
      .split('\n')
      .map((line, i) => `${String(i + 1).padStart(5)}  ${line}`)
      .join('\n'),
  'quote marks': (text) => text.replaceAll(/^/gm, '> '),
  'a Markdown fence': (text) => `This is what it says:\n\n\`\`\`text\n${text}\n\`\`\`\nWhat can I do?\n`,
  'the indentation of a list': (text) => `1. Describe it:\n\n${text.replaceAll(/^/gm, '       ')}\n`,
  'line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'a log after it': (text) => `${text}\n\nI1123 01:02:03.123456       1 server.go:42] listening\n`,
};

describe('a description is read', () => {
  const of = cases.filter(
    ({ it: one, finds, id }) =>
      finds && isShown(one) && /^(?:crash|out-of|image-not|readiness|unschedulable-)/.test(id),
  );

  it.each(Object.entries(noises))('with %s', async (_, noisy) => {
    let read = 0;
    for (const { id, it: one } of of) {
      const now = Date.now();
      const { objects } = made(one, 'shop');
      const events = objects.filter(isEvent);
      const texts = objects
        .filter((object) => !isEvent(object))
        .map((object) => describeText(object, events, { now }));
      const text = texts.join('\n\n\n');
      if (texts.includes(undefined) || texts.length === 0 || !(await inText(text)).includes(id)) continue;
      read += 1;
      expect.soft(await inText(noisy(text)), noisy(text)).toContain(id);
    }
    expect(read).toBeGreaterThan(10);
  });

  it('under any names, which the findings have', async () => {
    const random = randomFrom(7);
    for (const { id, it: one } of of) {
      const now = Date.now() - random() * 9e10;
      const [space, name] = [wordOf(random), wordOf(random)];
      const { objects } = made(one, space);
      const renamed: RawObject[] = JSON.parse(JSON.stringify(objects).replaceAll('web', name));
      const events = renamed.filter(isEvent);
      const texts = renamed
        .filter((object) => !isEvent(object))
        .map((object) => describeText(object, events, { now }));
      if (texts.includes(undefined) || texts.length === 0) continue;
      const text = texts.join('\n\n\n');
      const before = await inText(text.replaceAll(name, 'web').replaceAll(space, 'shop'));
      if (!before.includes(id)) continue;
      const { findings } = await diagnoseText(text, catalogue);
      const own = findings.find(({ symptom, explains }) => symptom === id || explains.includes(id));
      expect.soft(own, `${id} of ${name} in ${space}`).toBeDefined();
      expect
        .soft(JSON.stringify(own?.objects), id)
        .toMatch(new RegExp(`${name}|node-of-${space}|"${space}"`));
    }
  });
});

/** A generator of numbers from 0 to before 1 that begins with a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const wordOf = (random: () => number): string =>
  `q${Array.from({ length: 4 + Math.floor(random() * 9) }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[Math.floor(random() * 36)]).join('')}z`;

const podHead = ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'];
const rows: readonly (readonly [symptom: string | undefined, ...cells: string[]])[] = [
  ['crash-loop', 'api-7d9c5b8f6d-x2k4p', '0/1', 'CrashLoopBackOff', '12 (2m ago)', '45m'],
  ['crash-loop', 'api-7d9c5b8f6d-x2k4p', '1/2', 'CrashLoopBackOff', '12', '45m'],
  ['image-pull-failing', 'api-7d9c5b8f6d-x2k4p', '0/1', 'ImagePullBackOff', '0', '9m'],
  ['image-pull-failing', 'api-7d9c5b8f6d-x2k4p', '0/1', 'ErrImagePull', '0', '20s'],
  ['image-name-invalid', 'api-7d9c5b8f6d-x2k4p', '0/1', 'InvalidImageName', '0', '9m'],
  ['image-never-pulled', 'api-7d9c5b8f6d-x2k4p', '0/1', 'ErrImageNeverPull', '0', '9m'],
  ['container-config-error', 'api-7d9c5b8f6d-x2k4p', '0/1', 'CreateContainerConfigError', '0', '9m'],
  ['container-create-error', 'api-7d9c5b8f6d-x2k4p', '0/1', 'RunContainerError', '2 (11s ago)', '9m'],
  ['out-of-memory', 'api-7d9c5b8f6d-x2k4p', '0/1', 'OOMKilled', '3 (41s ago)', '9m'],
  ['init-container-failing', 'api-7d9c5b8f6d-x2k4p', '0/1', 'Init:CrashLoopBackOff', '5 (1m ago)', '9m'],
  ['init-container-failing', 'api-7d9c5b8f6d-x2k4p', '0/1', 'Init:Error', '1 (5s ago)', '9m'],
  ['pod-evicted', 'api-7d9c5b8f6d-x2k4p', '0/1', 'Evicted', '0', '3d'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '2/2', 'Running', '0', '3d'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '1/1', 'Running', '7 (3d ago)', '30d'],
  [undefined, 'migrate-x2k4p', '0/1', 'Completed', '0', '3d'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '0/1', 'ContainerCreating', '0', '4s'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '0/1', 'Init:0/2', '0', '9s'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '0/1', 'Pending', '0', '1s'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '0/1', 'Running', '0', '12s'],
  [undefined, 'api-7d9c5b8f6d-x2k4p', '1/1', 'Terminating', '0', '3d'],
];
const good = ['good-6f7d8c9b54-b2c4d', '1/1', 'Running', '0', '3d'];

describe('a table of pods', () => {
  const forms: Readonly<Record<string, (head: readonly string[], ...rows: (readonly string[])[]) => string>> =
    {
      'as it is': (...all) => aligned(all).join('\n'),
      'in wide form': (head, ...all) =>
        aligned([
          [...head, 'IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES'],
          ...all.map((row) => [...row, '10.1.2.3', 'node-1', '<none>', '<none>']),
        ]).join('\n'),
      'of all namespaces': (head, ...all) =>
        aligned([['NAMESPACE', ...head], ...all.map((row) => ['shop', ...row])]).join('\n'),
      'with one space': (...all) => all.map((row) => row.join(' ')).join('\n'),
      'with tabs': (...all) => all.map((row) => row.join('\t')).join('\n'),
      'after a prompt and another table': (...all) =>
        `$ kubectl get ns\nNAME   STATUS   AGE\nshop   Active   30d\n\n$ kubectl -n shop get po\n${aligned(all).join('\n')}\n$ `,
    };

  it.each(Object.entries(forms))('%s has what its rows say', async (_, form) => {
    for (const [symptom, ...cells] of rows) {
      const text = form(podHead, good, cells);
      const found = await inText(text);
      if (symptom === undefined) expect.soft(found, text).toEqual([]);
      else expect.soft(found, text).toContain(symptom);
    }
  });

  it('counts pods to the workload that stands beside them', async () => {
    const text = `NAME    READY   UP-TO-DATE   AVAILABLE   AGE\napi     0/1     1            0           40m\n\n${aligned([podHead, rows[0]?.slice(1).map(String) ?? []]).join('\n')}`;
    const { findings } = await diagnoseText(text, catalogue);
    expect(findings.map(({ symptom, objects, explains }) => [symptom, objects[0]?.name, explains])).toEqual([
      ['crash-loop', 'api', ['workload-short']],
    ]);
  });
});

describe('other tables', () => {
  it.each([
    [
      'node-not-ready',
      'NAME     STATUS     ROLES    AGE   VERSION\nnode-1   NotReady   <none>   10d   v1.31.2',
    ],
    [
      'node-cordoned',
      'NAME     STATUS                     ROLES    AGE   VERSION\nnode-1   Ready,SchedulingDisabled   <none>   10d   v1.31.2',
    ],
    [
      'workload-short',
      'NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    0/3     3            0           40m',
    ],
    ['workload-short', 'NAME   READY   AGE\ndb     1/3     40m'],
    [
      'workload-short',
      'NAME                 READY   UP-TO-DATE   AVAILABLE   AGE\ndeployment.apps/web  0/3     3            0           40m',
    ],
    [
      'unschedulable-cpu',
      'LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n3m5s        Warning   FailedScheduling   pod/web-1   0/3 nodes are available: 3 Insufficient cpu.',
    ],
    [
      'unschedulable-cpu',
      'LAST SEEN TYPE REASON OBJECT MESSAGE\n3m (x5 over 9m) Warning FailedScheduling pod/web-1 0/3 nodes are available: 3 Insufficient cpu.',
    ],
    ['unschedulable-cpu', '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available'],
    ['image-pull-failing', 'Back-off pulling image "registry.example/web:1"'],
    [
      'mount-secret-missing',
      'Nov 23 01:02:03 node-1 kubelet[1234]: E1123 01:02:03.123456    1234 nestedpendingoperations.go:348] MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
    ],
  ])('%s: %s', async (symptom, text) => expect(await inText(text)).toContain(symptom));

  it.each([
    'NAME     STATUS   ROLES           AGE   VERSION\nnode-1   Ready    control-plane   10d   v1.31.2',
    'NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    3/3     3            3           40m\nidle   0/0     0            0           40m',
    'NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    0/3     3            0           4s',
    'NAME   READY   AGE\ndb     3/3     40m',
    'NAME   STATUS   VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata   Bound    pv-1     1Gi        RWO            standard       9d',
    'NAME         TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE\nkubernetes   ClusterIP   10.96.0.1    <none>        443/TCP   9d',
    'NAME         STATUS   AGE\ndefault      Active   9d',
    'NAME    STATUS     COMPLETIONS   DURATION   AGE\nfirst   Complete   1/1           6s         9d',
    'NAME   ENDPOINTS       AGE\nweb    10.1.2.3:8080   9d',
    'NAME     SCHEDULE    TIMEZONE   SUSPEND   ACTIVE   LAST SCHEDULE   AGE\nbackup   0 3 * * *   <none>     False     0        7h              9d',
    'LAST SEEN   TYPE     REASON    OBJECT      MESSAGE\n3m5s        Normal   Started   pod/web-1   Started container web',
    'No resources found in default namespace.',
  ])('that are well have no finding: %s', async (text) => expect(await inText(text)).toEqual([]));
});

describe('a text that breaks off', () => {
  const now = Date.now();
  const { objects } = made(
    { from: 'kubelet', pod: { waiting: 'CrashLoopBackOff', ended: 'OOMKilled', exit: 137 } },
    'shop',
  );

  it.each(
    Object.entries({
      YAML: dump(JSON.parse(JSON.stringify(objects[0]))),
      JSON: JSON.stringify(objects[0], undefined, 2),
      describe: describeText(objects[0] ?? {}, [], { now }) ?? '',
    }),
  )('is read as %s up to there', async (_, text) => {
    const end = Math.max(text.lastIndexOf('OOMKilled'), text.lastIndexOf('CrashLoopBackOff'));
    const whole = await inText(text);
    expect(whole).toContain('out-of-memory');
    const cut = text.slice(0, text.indexOf('\n', text.indexOf('\n', end) + 1) + 12);
    expect(await inText(cut)).toContain('out-of-memory');
  });

  it('says what was not read', async () => {
    const { not_checked, checked } = await diagnoseText('Name:   it\nColour: blue\n', catalogue);
    expect(not_checked.map(({ reason }) => reason)).toContain(
      'Not read: line 1 begins the description of an unknown kind.',
    );
    expect(checked).toEqual([{ what: 'Lines of the text', count: 2 }]);
  });
});

describe('events of a text', () => {
  const head = 'LAST SEEN   TYPE      REASON   OBJECT   MESSAGE\n';

  it.each([
    [
      'a pod that was placed',
      '9m   Warning   FailedScheduling   pod/web-1   0/3 nodes are available: 3 Insufficient cpu.\n8m   Normal   Scheduled   pod/web-1   Successfully assigned shop/web-1 to node-a',
    ],
    [
      'an image that was pulled later',
      '9m   Warning   Failed   pod/web-1   Failed to pull image "registry.example/web:1": unexpected status: 503\n8m   Normal   Pulled   pod/web-1   Successfully pulled image "registry.example/web:1"',
    ],
    [
      'a volume that came later',
      '9m   Warning   FailedMount   pod/web-1   MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found\n8m   Normal   Started   pod/web-1   Started container web',
    ],
    [
      'the first tries of a probe',
      '60s   Warning   Unhealthy   pod/web-1   Readiness probe failed: dial tcp 10.1.2.3:8080: connect: connection refused\n65s   Normal   Started   pod/web-1   Started container web',
    ],
  ])('tell nothing of %s', async (_, rows) => expect(await inText(head + rows)).toEqual([]));

  it('tell what came after', async () => {
    const rows =
      '8m   Warning   FailedScheduling   pod/web-1   0/3 nodes are available: 3 Insufficient cpu.\n9m   Normal   Scheduled   pod/web-1   Successfully assigned shop/web-1 to node-a';
    expect(await inText(head + rows)).toContain('unschedulable-cpu');
  });
});

describe('a log in a text', () => {
  const line = 'FATAL: password authentication failed for user "shop"';

  it.each([
    ['below its command', `$ kubectl -n shop logs web-1 -c app\n${line}`],
    [
      'in a dump',
      `==== START logs for container app of pod shop/web-1 ====\n${line}\n==== END logs for container app of pod shop/web-1 ====`,
    ],
    ['with its prefix', `[pod/web-1/app] ${line}`],
  ])('%s is of its pod', async (_, text) => {
    const { findings } = await diagnoseText(text, catalogue);
    expect(findings.map(({ objects }) => objects[0]?.name)).toEqual(['web-1']);
    expect(findings[0]?.evidence[0]?.container).toBe('app');
  });

  it('explains the crash of the only pod that does not do well', async () => {
    const text = `${aligned([podHead, rows[0]?.slice(1).map(String) ?? [], good]).join('\n')}\n\n${line}\n`;
    const { findings } = await diagnoseText(text, catalogue);
    expect(findings.map(({ objects }) => objects[0]?.name)).toEqual(findings.map(() => 'api'));
    expect(findings[0]?.explains).toContain('crash-loop');
  });
});

describe('a text that is made to be slow', () => {
  const head = 'NAME READY STATUS RESTARTS AGE\n';
  const deep = 200_000;

  it.each(
    Object.entries({
      'digits in a table': head + `${'1'.repeat(16_000)}\n`.repeat(120),
      'an array in an array': `{"kind":"Pod","metadata":{"name":"a"},"a":${'['.repeat(deep)}`,
      'commas in arrays': `{"kind":"Pod","metadata":{"name":"a"},"a":${'[1,'.repeat(deep)}`,
      'whole arrays': `{"kind":"Pod","metadata":{"name":"a"},"a":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      'lists in lists': `${'{"kind":"List","items":['.repeat(deep)}${']}'.repeat(deep)}`,
      'a long list': `apiVersion: v1\nkind: List\nitems:\n${'- kind: Secret\n  metadata: {name: a}\n'.repeat(20_000)}`,
      'fields in fields': `Name:  a\n${Array.from({ length: 1500 }, (_, i) => `${' '.repeat(i)}Key ${i}:`).join('\n')}`,
      'heads of tables': 'NAME A A\n'.repeat(100_000),
      'open colours': `${String.fromCharCode(0x1b)}]`.repeat(200_000),
      prompts: '$ $ $ kubectl kubectl '.repeat(40_000),
    }),
  )('is read within seconds: %s', async (_, text) => {
    const begun = process.cpuUsage();
    await diagnoseText(text, catalogue);
    const { user } = process.cpuUsage(begun);
    expect(user / 1e6).toBeLessThan(5);
  });
});
