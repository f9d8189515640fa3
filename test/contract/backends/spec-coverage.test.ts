import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../../support/repo-root.ts';

// Every line of spec/backends.md that states something is proved by a test whose name names the line, such as `(Limits, row 5)` for a
// row of a table and `(Empty panels 2)` for an item of a list or a sentence. The spec is not part of the project: `../shared/spec`, or
// where BACKENDS_SPEC says.

/** How a line begins, without its marks, and the suites that prove it; or why no test does. */
type Line = readonly [start: string, ...suites: (string | Proof)[]] | readonly [start: string, why: Why];
/** A test of another part of the project, by a piece of its name. */
type Proof = { readonly suite: string; readonly test: string };
type Why = { readonly untested: string };

const notStated: Why = { untested: 'the spec says that it does not say' };
const probes = (test: string): Proof => ({ suite: 'unit/shared/probes', test });
const planes = (test: string): Proof => ({ suite: 'contract/features/cluster/control-planes', test });
const defaults = probes('of no settings are the defaults');
const settings = probes('are three for all valid settings');

/** The headings of the spec, by what test names call them; then its lines in order, rows of tables first. */
const sections: readonly (readonly [heading: string, name: string, lines: readonly Line[]])[] = [
  [
    'What the service does',
    'What the service does',
    [
      [
        'Each backend answers gRPC and gRPC-Web plus',
        'contract/backends/serving',
        'contract/backends/campaign/routes',
        'contract/backends/campaign/sessions',
        'contract/backends/cockpit/health',
      ],
      [
        'Requests with gRPC-Web content types',
        'contract/backends/serving',
        'contract/backends/campaign/routes',
        'contract/backends/cockpit/health',
      ],
      ['The cockpit backend runs as a control plane', 'contract/backends/cockpit/health'],
      ['The cockpit backend never substitutes sample data', 'contract/backends/cockpit/estate'],
    ],
  ],
  [
    'Resources and their fields',
    'Resources',
    [
      ['health answer of the campaign backend', 'contract/backends/campaign/routes'],
      ['auth config answer', 'contract/backends/campaign/routes'],
      ['transcribe answer', 'contract/backends/campaign/voice'],
      ['liveness answer', 'contract/backends/cockpit/health'],
      ['readiness answer', 'contract/backends/cockpit/health'],
      ['The session answer of POST /auth/google', 'contract/backends/campaign/auth'],
      ['Readiness checks: mesh_identity, raft_consensus', 'contract/backends/cockpit/health'],
    ],
  ],
  [
    'States and transitions',
    'States',
    [
      [
        '/readyz | all evaluated checks pass',
        'contract/backends/cockpit/health',
        'contract/backends/cockpit/raft',
      ],
      [
        '/readyz | any evaluated check fails',
        'contract/backends/cockpit/health',
        'contract/backends/cockpit/raft',
      ],
      ['mesh_identity | rotating mesh leaf is unhealthy', 'contract/backends/cockpit/health'],
      ['mesh_identity | otherwise', 'contract/backends/cockpit/health'],
      ['raft_consensus | consensus member', 'contract/backends/cockpit/raft'],
      ['raft_consensus | on a runner', 'contract/backends/cockpit/health'],
      ['session | refresh requested after', 'contract/backends/campaign/sessions'],
      ['Session lifecycle beyond', notStated],
    ],
  ],
  [
    'Campaign backend plain routes',
    'Campaign routes',
    [
      ['GET /health', 'contract/backends/campaign/routes'],
      ['GET /auth/config', 'contract/backends/campaign/routes'],
      ['POST /auth/google', 'contract/backends/campaign/auth'],
      ['POST /auth/refresh', 'contract/backends/campaign/sessions', 'contract/backends/campaign/routes'],
      ['/creatives/<name>, /media/<name>', 'contract/backends/campaign/media'],
      ['GET /podcast/feed.xml', 'contract/backends/campaign/podcast'],
      ['POST /voice/webrtc/offer', 'contract/backends/campaign/voice'],
      ['POST /voice/transcribe', 'contract/backends/campaign/voice'],
      ['GET /.well-known/agent-card.json', 'contract/backends/campaign/a2a'],
      ['/a2a', 'contract/backends/campaign/a2a'],
      ['POST /twilio/message', 'contract/backends/campaign/messaging'],
      ['anything else', 'contract/backends/campaign/routes'],
      ['Request bodies and response shapes', notStated],
      ['The gRPC services and methods', notStated],
    ],
  ],
  [
    'Cockpit backend health endpoints',
    'Health endpoints',
    [
      ['GET /livez', 'contract/backends/cockpit/health'],
      ['GET /readyz', 'contract/backends/cockpit/health'],
      ['GET /auth/config', 'contract/backends/cockpit/health'],
    ],
  ],
  [
    'Kubelet probes',
    'Kubelet probes',
    [
      ['path | /auth/config', defaults, settings],
      ['readinessPath, livenessPath', defaults, settings],
      ['startupSeconds | 900', defaults, probes('give a start at least the time that is set')],
      ['readinessFailureThreshold, livenessFailureThreshold | 3 and 6', defaults, settings],
      ['timeoutSeconds | 5', defaults, settings],
      ['disabled | false', defaults, probes('are none when disabled')],
      ['To make readiness reflect mesh and consensus', probes('let readiness ask /readyz')],
      [
        'Neither the startup probe nor the liveness probe',
        probes('refuse a start or a liveness that asks'),
        planes('refuse probes that restart every pod'),
      ],
    ],
  ],
  [
    'Authentication',
    'Authentication',
    [
      [
        'Campaign backend: plain routes are open',
        'contract/backends/campaign/routes',
        'contract/backends/campaign/a2a',
      ],
      [
        'Cockpit backend sessions are signed',
        'contract/backends/cockpit/sign-in',
        'contract/backends/cockpit/start',
      ],
      ['Sign-in options', 'contract/backends/cockpit/sign-in', 'contract/backends/cockpit/health'],
      [
        "The cockpit's google_client_id",
        'contract/backends/cockpit/sign-in',
        'contract/backends/cockpit/health',
      ],
      [
        "Runners share the control plane's appfs root",
        'contract/backends/cockpit/sign-in',
        'contract/backends/cockpit/estate',
      ],
      ['Token formats and lifetimes', notStated],
    ],
  ],
  [
    'Events',
    'Events',
    [
      ['Events emitted by either backend', notStated],
      ['The only inbound message route', 'contract/backends/campaign/messaging'],
      ['Schedule triggers log a dry-run line', 'contract/backends/cockpit/schedules'],
    ],
  ],
  [
    'HTTP',
    'Errors',
    [
      ['/voice/webrtc/offer with CALLING_AGENT_URL unset', 'contract/backends/campaign/voice'],
      ['/readyz with a failing check', 'contract/backends/cockpit/health'],
      ['refresh after sign-out', 'contract/backends/campaign/sessions'],
      ['Status codes of the other plain routes', notStated],
    ],
  ],
  [
    'Sign-in messages',
    'Sign-in messages',
    [
      ['invalid or expired session token', 'contract/backends/cockpit/sign-in'],
      ['Password sign-in is disabled', 'contract/backends/cockpit/sign-in'],
      ['SSO is not available on this instance', 'contract/backends/cockpit/sign-in'],
      ['This account is not authorized for this instance', 'contract/backends/cockpit/sign-in'],
      ['OIDC not configured', 'contract/backends/cockpit/sign-in'],
      ['a token rejected for its audience', 'contract/backends/cockpit/sign-in'],
      ['admin cannot log in', 'contract/backends/cockpit/sign-in'],
    ],
  ],
  [
    'Startup and crash causes',
    'Startup and crash causes',
    [
      [
        'pod never starts, container config error',
        'contract/backends/cockpit/start',
        {
          suite: 'contract/features/cluster/namespaces',
          test: 'say which workload is short, of which pod, and what that pod lacks',
        },
      ],
      ['refusing to serve: no session signing key', 'contract/backends/cockpit/start'],
      ['mesh identity unavailable, refusing to start', 'contract/backends/cockpit/start'],
      ['no inference endpoint configured', 'contract/backends/cockpit/start'],
      ['unknown embedding format', 'contract/backends/cockpit/start'],
      ['appfs root: at-rest key unavailable', 'contract/backends/cockpit/start'],
      ['envelope key not valid base64, or must be 32 bytes', 'contract/backends/cockpit/start'],
      ['appfs root could not be mounted, object store unavailable', 'contract/backends/cockpit/start'],
      ['OBJECTSTORE_USE_SSL is set', 'contract/backends/cockpit/start'],
      [
        'raft orchestrator failed to start with RAFT_NODE_ID set',
        'contract/backends/cockpit/start',
        'contract/backends/cockpit/raft',
      ],
      ['RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty', 'contract/backends/cockpit/start'],
      ['SQLITE_PATH must be absolute, or PORT is not a port number', 'contract/backends/cockpit/start'],
      ['replica restore failed', 'contract/backends/cockpit/start'],
    ],
  ],
  [
    'Empty panels',
    'Empty panels',
    [
      ['No data source', 'contract/backends/cockpit/estate'],
      ['Fetch never reached a runner', 'contract/backends/cockpit/estate'],
      ['Model plane not answering', 'contract/backends/cockpit/model'],
      ['Schedules produce nothing', 'contract/backends/cockpit/schedules'],
      ['Instance picker', 'contract/backends/cockpit/estate'],
    ],
  ],
  [
    'Weak grounding',
    'Weak grounding',
    [
      ['A warning about 15 seconds after boot', 'contract/backends/cockpit/model'],
      ['Fix: set EMBEDDING_FORMAT', 'contract/backends/cockpit/model'],
      ['An all-zero or empty vector', 'contract/backends/cockpit/model'],
      ['A did-not-answer-after-warmup message', 'contract/backends/cockpit/model'],
    ],
  ],
  [
    'Changes that do not stick',
    'Changes that do not stick',
    [
      [
        'A config change made on the live deployment',
        planes('name every field of the live Deployment that the operator will put back'),
      ],
      [
        'Some names are appended after env',
        planes('name every field of the live Deployment that the operator will put back'),
      ],
      ['Same image digest after a roll', { untested: 'advice about a registry, which no backend reads' }],
      ['RAFT_DATA_DIR unset means', 'contract/backends/cockpit/raft'],
    ],
  ],
  [
    'Limits',
    'Limits',
    [
      ['startup budget | 900 seconds', defaults],
      ['probe periods | 10 seconds (startup and readiness), 30 seconds', defaults],
      ['probe failure thresholds | readiness 3, liveness 6', defaults],
      ['probe timeout | 5 seconds', defaults],
      ['raft no-leader grace period | 30 seconds', 'contract/backends/cockpit/raft'],
      ['envelope key length | 32 bytes', 'contract/backends/cockpit/start', 'unit/backends/sealed/envelope'],
      ['app ports | 7100 (control plane), 7102 (runner)', 'contract/backends/cockpit/health'],
      ['Request size, rate and concurrency limits', notStated],
    ],
  ],
  [
    'Versioning',
    'Versioning',
    [
      ['The endpoint-variable names', 'contract/backends/cockpit/start'],
      ['Version scheme of the plain HTTP routes', notStated],
    ],
  ],
];

const file = resolve(repoRoot, process.env.BACKENDS_SPEC ?? '../shared/spec/backends.md');
const found = existsSync(file);
const reason = found ? '' : ` (skipped: the spec is not at ${file})`;

type SpecLine = { readonly text: string; readonly isRow: boolean };

/** What each section states: the rows of its tables without their headings, then items and sentences. */
function specLines(markdown: string): ReadonlyMap<string, readonly SpecLine[]> {
  const read = new Map<string, SpecLine[]>();
  let lines: SpecLine[] = [];
  let isHead = true;
  for (const line of markdown.split('\n')) {
    const heading = /^##+ ([^(\n]*[^(\s])/.exec(line)?.[1];
    if (heading !== undefined) {
      lines = [];
      read.set(heading, lines);
    }
    const plain = line.replaceAll('`', '').trim();
    // The first two rows of a table are its head and a rule.
    if (line.startsWith('| ') && !isHead) lines.push({ text: plain.slice(2, -2), isRow: true });
    isHead = line.startsWith('|') ? isHead && !line.startsWith('|--') : true;
    if (line.startsWith('|') || line.startsWith('#')) continue;
    const item = /^(?:\d+\.|-) (.*)$/.exec(plain)?.[1];
    // A sentence that ends with a colon only leads to what follows it.
    const stated = item === undefined ? plain.split(/(?<=[.]) (?=[A-Z])/) : [item];
    for (const text of stated) if (text !== '' && !text.endsWith(':')) lines.push({ text, isRow: false });
  }
  return read;
}

const ordered = (lines: readonly SpecLine[]): SpecLine[] => [
  ...lines.filter(({ isRow }) => isRow),
  ...lines.filter(({ isRow }) => !isRow),
];

/** The names of the tests of a suite, as its source has them. */
function testNames(suite: string): string[] {
  const path = suite.includes('/') ? suite : `contract/${suite}`;
  const source = readFileSync(join(repoRoot, 'test', `${path}.test.ts`), 'utf8');
  const name = /(?:\b(?:it|describe|concurrent)|\))\(\s*(['"`])(.*?)\1,/g;
  return [...source.matchAll(name)].map(([, , text = '']) => text);
}

describe.skipIf(!found)(`spec/backends.md${reason}`, () => {
  const spec = found ? specLines(readFileSync(file, 'utf8')) : new Map<string, readonly SpecLine[]>();

  it('has no section that states something and is not in the table of this file', () => {
    const stating = [...spec].filter(([, lines]) => lines.length > 0).map(([heading]) => heading);
    expect(sections.map(([heading]) => heading)).toEqual(stating);
  });

  describe.each(sections.map(([heading, name, lines]) => ({ heading, name, lines })))(
    '$heading',
    ({ heading, name, lines }) => {
      const stated = ordered(spec.get(heading) ?? []);

      it('has the lines of the table, no more and no others', () => {
        const starts = lines.map(([start], index) => {
          const { text = '' } = stated[index] ?? {};
          return text.startsWith(start) ? text : `${start}…`;
        });
        expect(starts).toEqual(stated.map(({ text }) => text));
      });

      it('has a test for each of them that names it', () => {
        const missing = lines.flatMap(([start, ...proofs], index) => {
          const isRow = stated[index]?.isRow === true;
          const before = stated.slice(0, index).filter((line) => line.isRow === isRow).length;
          const tag = `${name}${isRow ? ', row' : ''} ${before + 1}`;
          return proofs.flatMap((proof) => {
            if (typeof proof === 'object' && 'untested' in proof) return [];
            const { suite, test } = typeof proof === 'string' ? { suite: proof, test: tag } : proof;
            const names = testNames(suite);
            const has = names.some((each) =>
              typeof proof === 'string' ? new RegExp(`\\b${test}\\b`).test(each) : each.startsWith(test),
            );
            return has ? [] : [`${suite}: ${tag}, ${start}`];
          });
        });
        expect(missing).toEqual([]);
      });
    },
  );
});
