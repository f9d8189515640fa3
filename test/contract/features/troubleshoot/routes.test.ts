import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import {
  diagnosisProgress,
  longestText,
  report,
  textReport,
} from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { minutesAgo, pod, readingCluster } from '../cluster/harness.ts';

const place = { namespace: 'shop' };
const crashing: RawObject[] = [
  pod({
    name: 'web-1',
    ...place,
    of: 'web',
    status: {
      conditions: [{ type: 'Initialized', status: 'True' }],
      containerStatuses: [
        {
          name: 'main',
          ready: false,
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
          lastState: { terminated: { reason: 'Error', exitCode: 1, finishedAt: minutesAgo(2) } },
        },
      ],
    },
  }),
];
const line =
  'refusing to serve: no session signing key. Set AUTH_JWT_SECRET; in a cluster the session secret provides it.';

type Event = { readonly name: string; readonly data: unknown };
const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((part) => part.startsWith('event: '))
    .map((part) => {
      const [, name = '', data = ''] = /^event: (\S+)\ndata: (.*)$/s.exec(part) ?? [];
      return { name, data: JSON.parse(data) };
    });

/** A cluster whose logs are held back until they are let go, with what was asked of it. */
function heldCluster(objects = crashing) {
  const asked: string[] = [];
  const ends: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const plain = objectCluster(objects);
  const cluster: Cluster = {
    ...plain,
    list(resource, options) {
      asked.push(resource.plural);
      return plain.list(resource, options);
    },
    async logs({ signal }) {
      asked.push('logs');
      signal.addEventListener('abort', () => ends.push('aborted'));
      await Promise.race([held, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return { state: 'missing', reason: 'There is no log.' };
    },
  };
  return { cluster, asked, ends, letGo: () => letGo() };
}

describe('GET /api/troubleshoot', () => {
  it('tells steps with what was found so far as events, and the report as the last (RTE-029)', async () => {
    const { get } = await readingCluster(objectCluster(crashing));
    const { text, headers } = await get('/api/troubleshoot', { accept: 'text/event-stream' });
    expect(headers['content-type']).toContain('text/event-stream');
    const events = eventsOf(text);
    const steps = events.slice(0, -1).map(({ name, data }) => ({ name, ...diagnosisProgress.parse(data) }));
    expect(new Set(steps.map(({ name }) => name))).toEqual(new Set(['progress']));
    expect(
      steps.some(({ findings = [] }) => findings.some(({ symptom }) => symptom.startsWith('crash-'))),
    ).toBe(true);
    const told = steps.flatMap(({ findings }) => (findings === undefined ? [] : [JSON.stringify(findings)]));
    expect(told.length).toBeLessThan(steps.length);
    const last = events.at(-1);
    expect(last?.name).toBe('report');
    expect(report.parse(last?.data).findings[0]?.objects).toEqual([
      { kind: 'Deployment', name: 'web', ...place },
    ]);
  });

  it('is done once for those who ask at the same time', async () => {
    const { cluster, asked, letGo } = heldCluster();
    const { get } = await readingCluster(cluster);
    const first = get('/api/troubleshoot');
    await vi.waitFor(() => expect(asked).toContain('logs'));
    const second = get('/api/troubleshoot', { accept: 'text/event-stream' });
    await pause(50);
    letGo();
    const [one, two] = await Promise.all([first, second]);
    expect(asked.filter((kind) => kind === 'events')).toHaveLength(1);
    expect(eventsOf(two.text).at(-1)?.data).toEqual(JSON.parse(one.text));
    await get('/api/troubleshoot');
    expect(asked.filter((kind) => kind === 'events')).toHaveLength(2);
  });

  it('goes on while one of those who asked is still there, and ends with the last', async () => {
    const { cluster, asked, ends, letGo } = heldCluster();
    const { console_ } = await readingCluster(cluster);
    const cookie = await console_.cookie();
    const ask = () => {
      const leaving = new AbortController();
      const answer = request(`${console_.url}/api/troubleshoot`, {
        headers: { cookie, accept: 'text/event-stream' },
        signal: leaving.signal,
      }).then(async ({ body }) => body.text());
      answer.catch(() => undefined);
      return { answer, leave: () => leaving.abort() };
    };
    const first = ask();
    await vi.waitFor(() => expect(asked).toContain('logs'));
    const second = ask();
    await pause(100);
    first.leave();
    await pause(100);
    expect(ends).toEqual([]);
    second.leave();
    await vi.waitFor(() => expect(ends).not.toEqual([]));
    letGo();
  });

  it('keeps what was found when the cluster goes away in the middle, and says what was not read', async () => {
    const plain = objectCluster(crashing);
    const cluster: Cluster = {
      ...plain,
      async list(resource, options) {
        const listing = await plain.list(resource, options);
        return resource.plural === 'events'
          ? {
              ...listing,
              items: [],
              state: 'unavailable',
              gaps: ['The cluster did not answer: connection reset.'],
            }
          : listing;
      },
      logs: async () => ({
        state: 'read',
        bytes: (async function* () {
          yield Buffer.from(`${line}\nand the`);
          throw new Error('The cluster broke off: connection reset.');
        })(),
      }),
    };
    const { get } = await readingCluster(cluster);
    const { status, text } = await get('/api/troubleshoot');
    expect(status).toBe(200);
    const { findings, not_checked, complete, unmeasured } = report.parse(JSON.parse(text));
    expect(findings.some(({ symptom }) => symptom.startsWith('crash-'))).toBe(true);
    expect(not_checked.map(({ what, reason }) => `${what}: ${reason}`)).toEqual(
      expect.arrayContaining([
        'Events: The cluster did not answer: connection reset.',
        expect.stringMatching(/^Logs: \d logs? not read: The cluster broke off: connection reset\.$/),
      ]),
    );
    expect([complete, unmeasured.join(' ')]).toEqual([false, expect.stringContaining('broke off')]);
  });
});

describe('POST /api/troubleshoot/text', () => {
  const ask = async (text: unknown) => {
    const { console_ } = await readingCluster(objectCluster([]));
    const answer = await request(`${console_.url}/api/troubleshoot/text`, {
      method: 'POST',
      headers: { cookie: await console_.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };

  it('explains a line of a backend, although nobody says whose it is (RTE-030)', async () => {
    const { status, body } = await ask(`starting\n${line}\n`);
    expect(status).toBe(200);
    const { findings } = textReport.parse(JSON.parse(body));
    expect(findings[0]?.evidence).toEqual([
      expect.objectContaining({ kind: 'text', line: 2, text: line, before: ['starting'] }),
    ]);
    expect([findings[0]?.objects, findings[0]?.cause]).toEqual([
      [],
      expect.stringContaining('AUTH_JWT_SECRET'),
    ]);
    expect(JSON.stringify(findings[0])).toContain('<namespace>');
  });

  it('explains the events that kubectl describe and kubectl get events print', async () => {
    const message = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
    for (const text of [
      `Events:\n  Type     Reason            Age   From               Message\n  Warning  FailedScheduling  38s (x3 over 5m)  default-scheduler  ${message}`,
      `LAST SEEN   TYPE      REASON             OBJECT    MESSAGE\n\n38s         Warning   FailedScheduling   pod/web   ${message}`,
      `NAMESPACE  LAST SEEN   TYPE      REASON             OBJECT    MESSAGE\nshop   38s         Warning   FailedScheduling   pod/web   ${message}\n`,
    ]) {
      const { findings } = textReport.parse(JSON.parse((await ask(text)).body));
      expect(findings.map(({ symptom }) => symptom)).toEqual(['unschedulable-node-selector']);
      expect(findings[0]?.evidence[0]).toMatchObject({ kind: 'text', text: `FailedScheduling: ${message}` });
    }
    // Of another kind the clause does not speak.
    const other = `38s         Warning   FailedScheduling   node/web   ${message}`;
    expect(textReport.parse(JSON.parse((await ask(other)).body)).findings).toEqual([]);
  });

  it('says nothing of a text that is about something else', async () => {
    const { body } = await ask('serving sessions, signing key loaded\n');
    const { findings, not_checked } = textReport.parse(JSON.parse(body));
    expect(findings).toEqual([]);
    expect(not_checked[0]?.symptoms.length).toBeGreaterThan(10);
  });

  it('takes two million characters, and refuses more', async () => {
    const filler = `${'é'.repeat(99)}\n`.repeat(longestText / 100 - 2);
    const { status, body } = await ask(`${filler}${line}`);
    expect([status, textReport.parse(JSON.parse(body)).findings[0]?.evidence[0]?.line]).toEqual([
      200,
      longestText / 100 - 1,
    ]);
    expect((await ask('x'.repeat(longestText + 1))).status).toBe(400);
    expect((await ask('')).status).toBe(400);
  });
});
