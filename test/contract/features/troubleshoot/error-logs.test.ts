import { describe, expect, it } from 'vitest';
import { readWordings } from '../../../../src-main/features/troubleshoot/errors/wordings.ts';
import { diagnoseText, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import type { Finding } from '../../../../src-shared/api/troubleshoot.ts';
import { minutesAgo, namespace, pod } from '../cluster/harness.ts';
import { diagnosed } from './harness.ts';

const place = { namespace: 'shop' };
const catalogue = readCatalogue();
const byClass = new Set(
  catalogue.filter(({ look_for }) => look_for.some((clause) => 'class' in clause)).map(({ id }) => id),
);

type Stands = 'crashing' | 'ready' | 'restarted';

/** A pod of `of` that crashes, is ready, or was restarted and is ready again. */
function podThat(stands: Stands, name = 'web-1', of = 'web') {
  const ended = { reason: 'Error', exitCode: 1, finishedAt: minutesAgo(1), startedAt: minutesAgo(2) };
  const isReady = stands !== 'crashing';
  return pod({
    name,
    ...place,
    of,
    status: {
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      containerStatuses: [
        {
          name: 'main',
          ready: isReady,
          started: isReady,
          restartCount: stands === 'ready' ? 0 : 5,
          image: 'registry.example/main:1',
          state: isReady
            ? { running: { startedAt: minutesAgo(600) } }
            : { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
          ...(stands === 'ready' ? {} : { lastState: { terminated: ended } }),
        },
      ],
    },
  });
}

async function findingsOf(stands: Stands, log: string) {
  const { report } = await diagnosed([namespace('shop'), podThat(stands)], {
    logs: { 'shop/web-1/main': log },
    // Of a bundle the logs of containers that are ready are read, too.
    source: 'bundle',
    takenAt: Date.now(),
  });
  return report.findings;
}

/** A line with a time so many seconds ago. */
const at = (seconds: number, message: string): string =>
  `${new Date(Date.now() - seconds * 1000).toISOString()} ${message}`;
const refused = 'ERROR dial tcp 10.43.0.21:8080: connect: connection refused';
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('an error in the log of a container that crashes', () => {
  it('is its cause, with host and port in title and commands', async () => {
    const [first] = await findingsOf(
      'crashing',
      lines(at(9, 'INFO starting'), at(8, 'FATAL dial tcp: lookup orders on 10.96.0.10:53: no such host')),
    );
    expect(first?.symptom).toBe('name-not-resolved');
    expect(first?.title).toContain('orders');
    expect(first?.explains).toContain('crash-exit-1');
    expect(first?.fix.map(({ command }) => command).join('\n')).toContain('nslookup orders');
  });

  it('is told once for all workloads that name the same server', async () => {
    const { report } = await diagnosed(
      [namespace('shop'), podThat('crashing'), podThat('crashing', 'api-1', 'api')],
      { logs: { 'shop/web-1/main': lines(refused), 'shop/api-1/main': lines(refused) } },
    );
    const own = report.findings.filter(({ symptom }) => symptom === 'connection-refused');
    expect(own.map(({ objects }) => objects.map(({ name }) => name).sort())).toEqual([
      expect.arrayContaining(['api', 'web']),
    ]);
  });

  it('that no wording knows is quoted, as a symptom', async () => {
    const [first] = await findingsOf(
      'crashing',
      lines(at(9, 'INFO starting'), at(8, 'ERROR the flux is not aligned: 7')),
    );
    expect(first?.symptom).toBe('ended-with-error');
    expect(first?.title).toContain('the flux is not aligned: 7');
    expect(first?.cause).toContain('Symptom only');
  });

  it('is not looked for in an empty log, which is told', async () => {
    expect((await findingsOf('crashing', '\n')).map(({ symptom }) => symptom)).toContain(
      'ended-without-output',
    );
  });
});

describe('an error in the log of a container that is ready', () => {
  const often = (until: number): string[] =>
    Array.from({ length: 10 }, (_, i) => at(until + (10 - i) * 10, refused));

  it('that goes on to its end is a warning', async () => {
    const [first] = await findingsOf('ready', lines(...often(2)));
    expect([first?.symptom, first?.severity]).toEqual(['connection-refused', 'warning']);
  });

  it('that stopped is none', async () => {
    const after = Array.from({ length: 60 }, (_, i) => at(400 - i * 6, 'INFO served a request'));
    expect(await findingsOf('ready', lines(...often(600), ...after))).toEqual([]);
  });
});

/** Logs and texts that quote an error which is none, or no longer. */
const traps: readonly (readonly [name: string, stands: Stands | 'text', text: string])[] = [
  [
    'a retry that succeeded',
    'ready',
    lines(at(9, refused), at(8, refused), at(7, refused), at(6, 'INFO connected to 10.43.0.21:8080')),
  ],
  ['start-up noise of a container that is ready', 'ready', lines(at(600, refused), at(590, 'INFO ready'))],
  ['a failure of a previous run that is healed', 'restarted', lines(at(60, refused))],
  [
    'an error at the level of debugging',
    'ready',
    lines(...Array.from({ length: 9 }, (_, i) => at(9 - i, 'DEBUG connection refused, next peer'))),
  ],
  [
    'callers who are refused',
    'ready',
    lines(
      ...Array.from({ length: 9 }, (_, i) =>
        at(9 - i, '10.42.0.1 "GET /v1 HTTP/1.1" 401 12 "401 Unauthorized"'),
      ),
    ),
  ],
  [
    'a file that a ready program does without',
    'ready',
    lines(at(3, 'WARN open /etc/app/extra.yaml: no such file or directory')),
  ],
  [
    'a registry that refuses credentials',
    'text',
    'Failed to pull image "r.example/a:1": failed to authorize: unexpected status from GET request to https://r.example/token: 401 Unauthorized',
  ],
  [
    'a registry whose name is not resolved',
    'text',
    'Failed to pull image "r.example/a:1": dial tcp: lookup r.example on 10.96.0.10:53: no such host',
  ],
  [
    'the first probe',
    'text',
    'Readiness probe failed: Get "http://10.42.0.7:8080/ready": dial tcp 10.42.0.7:8080: connect: connection refused',
  ],
  [
    'the output of a test',
    'text',
    '=== RUN   TestDial\n    dial_test.go:12: dial tcp 127.0.0.1:1: connect: connection refused\n--- PASS: TestDial (0.00s)',
  ],
  ['a test of Node', 'text', ' ✓ rejects when connect ECONNREFUSED 127.0.0.1:1 (3 ms)\n 12 passing'],
  ['a heading of a guide', 'text', '# How to fix "connection refused" errors'],
  ['prose that quotes an error', 'text', 'If you see `connection refused`, the server is most likely down.'],
  [
    'an item of a list',
    'text',
    '- x509: certificate signed by unknown authority means that the CA is missing',
  ],
  ['an example', 'text', 'Errors like "no space left on device" are told, for example.'],
  ['a wait that ended', 'text', 'db:5432 - connection refused\ndb:5432 - accepting connections'],
  [
    'a database that came up',
    'text',
    'FATAL: could not connect: Connection refused\nLOG:  database system is ready to accept connections',
  ],
  [
    'a retry that succeeded later',
    'text',
    'attempt 1: dial tcp 10.0.0.9:80: i/o timeout\nattempt 2 succeeded',
  ],
  [
    'a program that came up after all',
    'text',
    "ERROR Could not resolve placeholder 'DB_URL'\nStarted ShopApplication in 4.2 seconds (process running for 5.1)",
  ],
  [
    'the pull of an image by containerd',
    'text',
    'time="2026-11-20T20:33:43Z" level=error msg="PullImage failed" error="failed to pull and unpack image: failed to do request: Head https://r.example/v2/a/manifests/1: dial tcp: lookup r.example: no such host"',
  ],
];

describe('no error is told of', () => {
  it.each(traps)('%s', async (_, stands, text) => {
    const findings =
      stands === 'text' ? (await diagnoseText(text, catalogue)).findings : await findingsOf(stands, text);
    expect(findings.map(({ symptom }) => symptom).filter((id) => byClass.has(id))).toEqual([]);
  });
});

/** Whether the texts of a symptom name what did not serve. */
const namesPeer = ({ symptom }: Finding): boolean =>
  /\{(?:target|host)\}/.test(JSON.stringify(catalogue.find(({ id }) => id === symptom)));

describe('an error whose names, spaces, time and prefix differ', () => {
  const { wordings } = readWordings();
  const prefixes = [
    '',
    '2026-11-20T20:33:43.001Z ',
    'E1120 20:33:43.001234       1 main.go:42] ',
    '2026/11/20 20:33:43 [error] ',
    'time="2026-11-20T20:33:43Z" level=error msg=',
    'web-7c9f5-x2x4z main ',
  ];
  /** Other names, of the same form. */
  const renamed = (value: string, seed: number): string =>
    value
      .replace(/[a-z]+/g, (word) =>
        word.length > 3 && !/^(?:sock|cluster|local)$/.test(word) ? `${word}q${seed}` : word,
      )
      .replace(/\d+/g, (digits) => (digits.length < 4 ? digits : String(Number(digits) + seed)));
  const mutants = wordings.flatMap(({ id, finds }) =>
    finds
      .filter(({ named }) => named.host !== undefined)
      .map(({ line, named }, index) => {
        const seed = (index % 5) + 1;
        const host = named.host ?? '';
        const other = /^[\d.:]+$/.test(host) ? `10.44.9.${20 + seed}` : renamed(host, seed);
        const prefix = prefixes[(id.length + index) % prefixes.length] ?? '';
        return {
          id,
          host: other,
          line: `${prefix.startsWith('time') && line.startsWith('[') ? '' : prefix}${line.replaceAll(host, other)}`,
        };
      }),
  );

  it('is found by its new names', async () => {
    expect(mutants.length).toBeGreaterThan(40);
    const missed: string[] = [];
    for (const { id, host, line } of mutants) {
      const { findings } = await diagnoseText(line, catalogue);
      const told = JSON.stringify(findings.map(({ title, cause, fix }) => [title, cause, fix]));
      const own = findings.filter(({ symptom }) => byClass.has(symptom));
      if (own.length === 0 || (own.some(namesPeer) && !told.includes(host))) missed.push(`${id}: ${line}`);
    }
    expect(missed).toEqual([]);
  });
});
