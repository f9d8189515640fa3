import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../support/repo-root.ts';

// Every line of spec/backends.md that states something is proved by a test whose name names the line, such as `(Limits, row 5)` for a
// row of a table and `(Empty panels 2)` for an item of a list or a sentence. The spec is not part of the project: `../shared/spec`, or
// where BACKENDS_SPEC says.

/** How a line begins, without its marks, and the suites that prove it; or why no test does. */
type Line = readonly [start: string, ...suites: (string | Proof)[]] | readonly [start: string, why: Why];
/** A test of another part of the project, by a piece of its name. */
type Proof = { readonly suite: string; readonly test: string };
type Why = { readonly untested: string };

const notStated: Why = { untested: 'the spec says that it does not say' };
const probes = (test: string): Proof => ({ suite: 'unit/probes', test });
const planes = (test: string): Proof => ({ suite: 'contract/cluster-control-planes', test });
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
        'backend-serving',
        'campaign-routes',
        'campaign-sessions',
        'cockpit-health',
      ],
      ['Requests with gRPC-Web content types', 'backend-serving', 'campaign-routes', 'cockpit-health'],
      ['The cockpit backend runs as a control plane', 'cockpit-health'],
      ['The cockpit backend never substitutes sample data', 'cockpit-estate'],
    ],
  ],
  [
    'Resources and their fields',
    'Resources',
    [
      ['health answer of the campaign backend', 'campaign-routes'],
      ['auth config answer', 'campaign-routes'],
      ['transcribe answer', 'campaign-voice'],
      ['liveness answer', 'cockpit-health'],
      ['readiness answer', 'cockpit-health'],
      ['The session answer of POST /auth/google', 'campaign-auth'],
      ['Readiness checks: mesh_identity, raft_consensus', 'cockpit-health'],
    ],
  ],
  [
    'States and transitions',
    'States',
    [
      ['/readyz | all evaluated checks pass', 'cockpit-health', 'cockpit-raft'],
      ['/readyz | any evaluated check fails', 'cockpit-health', 'cockpit-raft'],
      ['mesh_identity | rotating mesh leaf is unhealthy', 'cockpit-health'],
      ['mesh_identity | otherwise', 'cockpit-health'],
      ['raft_consensus | consensus member', 'cockpit-raft'],
      ['raft_consensus | on a runner', 'cockpit-health'],
      ['session | refresh requested after', 'campaign-sessions'],
      ['Session lifecycle beyond', notStated],
    ],
  ],
  [
    'Campaign backend plain routes',
    'Campaign routes',
    [
      ['GET /health', 'campaign-routes'],
      ['GET /auth/config', 'campaign-routes'],
      ['POST /auth/google', 'campaign-auth'],
      ['POST /auth/refresh', 'campaign-sessions', 'campaign-routes'],
      ['/creatives/<name>, /media/<name>', 'campaign-media'],
      ['GET /podcast/feed.xml', 'campaign-podcast'],
      ['POST /voice/webrtc/offer', 'campaign-voice'],
      ['POST /voice/transcribe', 'campaign-voice'],
      ['GET /.well-known/agent-card.json', 'campaign-a2a'],
      ['/a2a', 'campaign-a2a'],
      ['POST /twilio/message', 'campaign-messaging'],
      ['anything else', 'campaign-routes'],
      ['Request bodies and response shapes', notStated],
      ['The gRPC services and methods', notStated],
    ],
  ],
  [
    'Cockpit backend health endpoints',
    'Health endpoints',
    [
      ['GET /livez', 'cockpit-health'],
      ['GET /readyz', 'cockpit-health'],
      ['GET /auth/config', 'cockpit-health'],
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
      ['Campaign backend: plain routes are open', 'campaign-routes', 'campaign-a2a'],
      ['Cockpit backend sessions are signed', 'cockpit-sign-in', 'cockpit-start'],
      ['Sign-in options', 'cockpit-sign-in', 'cockpit-health'],
      ["The cockpit's google_client_id", 'cockpit-sign-in', 'cockpit-health'],
      ["Runners share the control plane's appfs root", 'cockpit-sign-in', 'cockpit-estate'],
      ['Token formats and lifetimes', notStated],
    ],
  ],
  [
    'Events',
    'Events',
    [
      ['Events emitted by either backend', notStated],
      ['The only inbound message route', 'campaign-messaging'],
      ['Schedule triggers log a dry-run line', 'cockpit-schedules'],
    ],
  ],
  [
    'HTTP',
    'Errors',
    [
      ['/voice/webrtc/offer with CALLING_AGENT_URL unset', 'campaign-voice'],
      ['/readyz with a failing check', 'cockpit-health'],
      ['refresh after sign-out', 'campaign-sessions'],
      ['Status codes of the other plain routes', notStated],
    ],
  ],
  [
    'Sign-in messages',
    'Sign-in messages',
    [
      ['invalid or expired session token', 'cockpit-sign-in'],
      ['Password sign-in is disabled', 'cockpit-sign-in'],
      ['SSO is not available on this instance', 'cockpit-sign-in'],
      ['This account is not authorized for this instance', 'cockpit-sign-in'],
      ['OIDC not configured', 'cockpit-sign-in'],
      ['a token rejected for its audience', 'cockpit-sign-in'],
      ['admin cannot log in', 'cockpit-sign-in'],
    ],
  ],
  [
    'Startup and crash causes',
    'Startup and crash causes',
    [
      [
        'pod never starts, container config error',
        'cockpit-start',
        {
          suite: 'contract/cluster-namespaces',
          test: 'say which workload is short, of which pod, and what that pod lacks',
        },
      ],
      ['refusing to serve: no session signing key', 'cockpit-start'],
      ['mesh identity unavailable, refusing to start', 'cockpit-start'],
      ['no inference endpoint configured', 'cockpit-start'],
      ['unknown embedding format', 'cockpit-start'],
      ['appfs root: at-rest key unavailable', 'cockpit-start'],
      ['envelope key not valid base64, or must be 32 bytes', 'cockpit-start'],
      ['appfs root could not be mounted, object store unavailable', 'cockpit-start'],
      ['OBJECTSTORE_USE_SSL is set', 'cockpit-start'],
      ['raft orchestrator failed to start with RAFT_NODE_ID set', 'cockpit-start', 'cockpit-raft'],
      ['RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty', 'cockpit-start'],
      ['SQLITE_PATH must be absolute, or PORT is not a port number', 'cockpit-start'],
      ['replica restore failed', 'cockpit-start'],
    ],
  ],
  [
    'Empty panels',
    'Empty panels',
    [
      ['No data source', 'cockpit-estate'],
      ['Fetch never reached a runner', 'cockpit-estate'],
      ['Model plane not answering', 'cockpit-model'],
      ['Schedules produce nothing', 'cockpit-schedules'],
      ['Instance picker', 'cockpit-estate'],
    ],
  ],
  [
    'Weak grounding',
    'Weak grounding',
    [
      ['A warning about 15 seconds after boot', 'cockpit-model'],
      ['Fix: set EMBEDDING_FORMAT', 'cockpit-model'],
      ['An all-zero or empty vector', 'cockpit-model'],
      ['A did-not-answer-after-warmup message', 'cockpit-model'],
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
      ['RAFT_DATA_DIR unset means', 'cockpit-raft'],
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
      ['raft no-leader grace period | 30 seconds', 'cockpit-raft'],
      ['envelope key length | 32 bytes', 'cockpit-start', 'unit/sealed-envelope'],
      ['app ports | 7100 (control plane), 7102 (runner)', 'cockpit-health'],
      ['Request size, rate and concurrency limits', notStated],
    ],
  ],
  [
    'Versioning',
    'Versioning',
    [
      ['The endpoint-variable names', 'cockpit-start'],
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
