import { describe, expect, it } from 'vitest';
import { type Clause, codedCheck, type Symptom, symptom as symptomShape } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { evidenceLines } from '../../../../src-renderer/components/evidence-lines.ts';
import { contextOf, inContext, kubeconfigCommand } from '../../../../src-renderer/core/kubectl.ts';
import { areaGroups } from '../../../../src-renderer/pages/troubleshoot/catalogue-list.ts';
import {
  comparedRun,
  type DiagnosisRun,
  keptRuns,
  runDifference,
} from '../../../../src-renderer/pages/troubleshoot/diagnosis-runs.ts';
import { begun, withProgress } from '../../../../src-renderer/pages/troubleshoot/diagnosis-work.ts';
import {
  groupsOf,
  inOrder,
  narrowedRows,
  rowsOf,
  rowToRead,
} from '../../../../src-renderer/pages/troubleshoot/finding-rows.ts';
import { competing, explained } from '../../../../src-renderer/pages/troubleshoot/related-rows.ts';
import { clauseLabel, withPlaceholders } from '../../../../src-renderer/pages/troubleshoot/symptom-labels.ts';
import {
  evidenceAddress,
  objectAddress,
} from '../../../../src-renderer/pages/troubleshoot/troubleshoot-address.ts';
import { findingMarkdown, reportMarkdown } from '../../../../src-shared/troubleshoot/report-markdown.ts';

const finding = (id: string, more: Partial<Finding> = {}): Finding => ({
  id,
  symptom: 'secret-missing',
  area: 'start_up',
  severity: 'critical',
  title: `${id} cannot start`,
  cause: 'Secret `db-credentials` does not exist.',
  fix: [{ text: 'See what there is.', command: 'kubectl get secrets' }],
  objects: [{ kind: 'Deployment', name: id, namespace: 'cockpit' }],
  evidence: [{ kind: 'event', ref: 'events', text: 'secret "db-credentials" not found' }],
  evidence_count: 1,
  competes_with: [],
  explains: [],
  ruled_out_by: 'The Secret is there.',
  reference: 'BCK-062',
  ...more,
});

const rowsFor = (found: readonly Finding[], text: readonly Finding[] = []) =>
  rowsOf({ found, text, difference: undefined });

const titles = (rows: ReturnType<typeof rowsOf>) => rows.map(({ finding: { id } }) => id);

describe('the list of findings', () => {
  it('stands by severity, the gravest first, and keeps the order of the report within one', () => {
    const rows = inOrder(
      rowsFor([
        finding('note', { severity: 'info' }),
        finding('second', { severity: 'warning' }),
        finding('first'),
        finding('third', { severity: 'warning' }),
      ]),
    );
    expect(titles(rows)).toEqual(['first', 'second', 'third', 'note']);
    expect(groupsOf(rows).map(({ head }) => head)).toEqual(['critical', 'warning', 'info']);
  });

  it('keeps a finding of the text apart from one of the target with the same id', () => {
    const rows = rowsFor([finding('same')], [finding('same', { objects: [] })]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
    expect(rows.map(({ from }) => from)).toEqual(['target', 'text']);
  });

  it('finds a workload by the pod that its evidence was seen on', () => {
    const seen = finding('api', {
      evidence: [
        {
          kind: 'container',
          ref: 'status',
          text: 'CreateContainerConfigError',
          object: { kind: 'Pod', name: 'api-7c9d-2kx4m', namespace: 'cockpit' },
        },
      ],
    });
    const rows = rowsFor([seen, finding('other')]);
    expect(titles(narrowedRows(rows, { q: 'API-7c9d-2kx4m' }))).toEqual(['api']);
    expect(titles(narrowedRows(rows, { q: 'api nowhere' }))).toEqual([]);
  });

  it('narrows to a namespace, which is also that of a finding about the namespace itself', () => {
    const rows = rowsFor([
      finding('inside'),
      finding('itself', { objects: [{ kind: 'Namespace', name: 'cockpit' }] }),
      finding('elsewhere', { objects: [{ kind: 'Deployment', name: 'x', namespace: 'voice' }] }),
    ]);
    expect(titles(narrowedRows(rows, { namespace: 'cockpit' }))).toEqual(['inside', 'itself']);
  });

  it('does not take a finding away from who reads it unless a graver one comes', () => {
    const read = finding('read', { severity: 'warning' });
    const before = finding('before', { severity: 'warning' });
    expect(rowToRead(inOrder(rowsFor([before, read])), 'read')?.key).toBe('read');
    expect(rowToRead(inOrder(rowsFor([before, read, finding('grave')])), 'read')?.key).toBe('grave');
    expect(rowToRead(inOrder(rowsFor([before])), 'read')?.key).toBe('before');
    expect(rowToRead([], 'read')).toBeUndefined();
  });

  it('names competing causes in the order given, and leaves out what is not in the list', () => {
    const row = rowsFor([finding('a', { competes_with: ['c', 'gone', 'b'] }), finding('b'), finding('c')]);
    const [first] = row;
    expect(first && titles(competing(first, row))).toEqual(['c', 'b']);
  });

  it('leads from a cause to what it explains on the same object, not to the same symptom elsewhere', () => {
    const elsewhere = finding('elsewhere', { symptom: 'crash-loop' });
    const cause = finding('api', { explains: ['crash-loop'] });
    const here = finding('here', { symptom: 'crash-loop', objects: cause.objects });
    const rowOf = (found: readonly Finding[]) => {
      const rows = rowsFor(found);
      const [first] = rows;
      return first && explained(first, rows)[0]?.row?.key;
    };
    expect(rowOf([cause, elsewhere, here])).toBe('here');
    expect(rowOf([cause, elsewhere])).toBeUndefined();
  });
});

describe('two runs compared', () => {
  const run = (at: number, ...ids: string[]): DiagnosisRun => ({
    at,
    findings: ids.map((id) => finding(id)),
  });

  it('tells new, same and gone by id, and shows what is gone after everything that is there', () => {
    const now = [finding('stays'), finding('comes')];
    const difference = runDifference(run(1, 'stays', 'goes').findings, now, []);
    const rows = inOrder(rowsOf({ found: now, text: [], difference }));
    expect(rows.map(({ key, mark }) => `${key} ${mark}`)).toEqual(['stays same', 'comes new', 'goes gone']);
    expect(titles(narrowedRows(rows, { mark: 'gone' }))).toEqual(['goes']);
  });

  it('does not call gone what the later run could not look for', () => {
    const difference = runDifference(
      run(1, 'goes').findings,
      [],
      [{ what: 'Events', reason: 'forbidden', symptoms: ['secret-missing'] }],
    );
    expect(rowsOf({ found: [], text: [], difference }).map(({ mark }) => mark)).toEqual(['unchecked']);
  });

  it('calls gone what the later run could look for where it was, though not everywhere', () => {
    const whole_of = finding('goes').objects;
    const partly = {
      what: 'Logs',
      reason: '9 of pods that are well.',
      symptoms: ['secret-missing'],
      whole_of,
    };
    const marksNow = (before: readonly string[]) =>
      rowsOf({
        found: [],
        text: [],
        difference: runDifference(run(1, ...before).findings, [], [partly]),
      }).map(({ key, mark }) => `${key} ${mark}`);
    expect(marksNow(['goes', 'elsewhere']).toSorted()).toEqual(['elsewhere unchecked', 'goes gone']);
  });

  it('compares with the run before, or with an older one that is chosen and still kept', () => {
    const runs = [run(30), run(20), run(10)];
    expect(comparedRun(runs, undefined)?.at).toBe(20);
    expect(comparedRun(runs, 10)?.at).toBe(10);
    expect(comparedRun(runs, 5)?.at).toBe(20);
    expect(comparedRun([run(30)], undefined)).toBeUndefined();
  });

  it('keeps a few runs, the newest first', () => {
    const runs = Array.from({ length: 12 }, (_, index) => run(index)).reduce(
      keptRuns,
      [] as readonly DiagnosisRun[],
    );
    expect(runs[0]?.at).toBe(11);
    expect(runs.length).toBeLessThan(12);
  });
});

describe('a diagnosis under way', () => {
  it('keeps each step once with its newest numbers, and collects what was found', () => {
    const work = [
      { step: 'Reading pods', done: 1, total: 4, findings: [finding('a')] },
      { step: 'Looking through logs', done: 10 },
      {
        step: 'Looking through logs',
        done: 20,
        findings: [finding('a', { severity: 'info' }), finding('b')],
      },
    ].reduce(withProgress, begun(0));
    expect(work.steps.map(({ name, done }) => `${name} ${done}`)).toEqual([
      'Reading pods 1',
      'Looking through logs 20',
    ]);
    expect(work.now).toBe('Looking through logs');
    expect(work.findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual(['a info', 'b critical']);
  });
});

describe('lines of evidence', () => {
  it('numbers the lines around the hit from where it stands', () => {
    const lines = evidenceLines({
      kind: 'log',
      ref: 'cockpit/api',
      line: 118,
      text: 'secret "x" not found',
      match: [7, 10],
      before: ['one', 'two'],
      after: ['three'],
    });
    expect(lines.map(({ number, hit }) => `${number} ${hit}`)).toEqual([
      '116 false',
      '117 false',
      '118 true',
      '119 false',
    ]);
    expect(lines[2]?.match).toEqual([7, 10]);
  });

  it('marks a match that goes over several lines in each of them, and nothing outside of the text', () => {
    const text = 'first\nsecond\nthird';
    const matches = evidenceLines({ kind: 'check', ref: 'x', text, match: [3, 9] }).map(({ match }) => match);
    expect(matches).toEqual([[3, 5], [0, 3], undefined]);
    const [over] = evidenceLines({ kind: 'check', ref: 'x', text: 'abc', match: [1, 99] });
    expect(over?.match).toEqual([1, 3]);
  });
});

/** What stands in the code blocks of a text, read as CommonMark does: a fence ends with one that is at least as long. */
function codeBlocks(markdown: string): { language: string; text: string }[] {
  const blocks: { language: string; text: string }[] = [];
  let open: { fence: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.split('\n')) {
    const bare = line.replace(/^ {3}/, '');
    if (open === undefined) {
      const [, fence, language = ''] = /^(`{3,})(\w*)$/.exec(bare) ?? [];
      if (fence !== undefined) open = { fence, language, lines: [] };
    } else if (/^`{3,}$/.test(bare) && bare.length >= open.fence.length) {
      blocks.push({ language: open.language, text: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(bare);
  }
  expect(open).toBeUndefined();
  return blocks;
}

describe('the report as Markdown', () => {
  const written = (findings: readonly Finding[]) =>
    reportMarkdown({
      of: 'prod-eu-1',
      readAt: '2026-11-21T14:59:12.000Z',
      findings,
      checked: [{ what: 'Pods', count: 123 }],
      notChecked: [{ what: 'Memory', reason: 'metrics.k8s.io did not answer', symptoms: ['out-of-memory'] }],
      symptoms: 41,
    });

  it('has every finding by severity with cause, fix and evidence, and what was not checked', () => {
    const markdown = written([finding('later', { severity: 'warning' }), finding('api')]);
    expect(markdown.match(/^#+ .*/gm)).toEqual([
      '# Diagnosis of prod-eu-1',
      '## Critical: api cannot start',
      '### Cause',
      '### Fix',
      '### Evidence (1)',
      '### How to confirm it is fixed',
      '## Warning: later cannot start',
      '### Cause',
      '### Fix',
      '### Evidence (1)',
      '### How to confirm it is fixed',
      '## Could not check',
      '## Checked',
    ]);
    expect(markdown).toContain('- **Memory**: metrics.k8s.io did not answer (`out-of-memory`)');
    expect(markdown).toContain('Secret `db-credentials` does not exist.');
  });

  it('gives the sentence of the requirement it refers to, as its reader has no page to open', () => {
    const markdown = findingMarkdown(
      finding('api', { reference_text: 'The key `AUTH_JWT_SECRET` is unset.' }),
    );
    expect(markdown).toMatch(/\bBCK-062: The key `AUTH_JWT_SECRET` is unset\.$/);
  });

  it('keeps evidence whole in its block, whatever fences it holds', () => {
    const text = 'before\n```\n# not a heading\n`````\nafter';
    const markdown = findingMarkdown(
      finding('api', { evidence: [{ kind: 'log', ref: 'a`b`', line: 3, text, before: ['````sh'] }] }),
    );
    expect(codeBlocks(markdown)).toEqual([
      { language: 'sh', text: 'kubectl get secrets' },
      { language: 'text', text: `\`\`\`\`sh\n${text}` },
    ]);
    expect(markdown).toContain('``a`b`:3``');
  });

  it('keeps a command of several lines together under its step', () => {
    const command = 'kubectl set env deploy/api \\\n  --from=secret/db';
    const markdown = findingMarkdown(finding('api', { fix: [{ text: 'Point it there.', command }] }));
    expect(markdown).toContain('1. Point it there.\n\n   ```sh\n   kubectl set env');
    expect(codeBlocks(markdown)[0]).toEqual({ language: 'sh', text: command });
  });

  it('makes no link, picture or HTML of what came from a cluster', () => {
    const markdown = findingMarkdown(
      finding('api', {
        title: '![x](https://evil.example/a.png) <img src=x>\n# heading',
        cause: '[click](https://evil.example) `code` <script>',
        evidence: [],
      }),
    );
    expect(markdown).not.toMatch(/(?<!\\)[[<]/);
    expect(markdown).not.toMatch(/^# heading/m);
    expect(markdown).toContain('`code`');
  });

  it('says that nothing was found', () => {
    expect(written([])).toContain('Nothing was found. Read at 2026-11-21T14:59:12.000Z. 41 symptoms');
  });
});

describe('the catalogue in words', () => {
  const entry = (id: string, more: Partial<Symptom> = {}): Symptom =>
    symptomShape.parse({
      id,
      area: 'start_up',
      title: '{workload} cannot start',
      severity: 'warning',
      look_for: [{ log: { literal: 'connection refused' } }],
      cause: 'Nothing listens there.',
      fix: [{ text: 'Start it.' }],
      ruled_out_by: 'It listens.',
      reference: 'BCK-001',
      ...more,
    });

  it.each<[Clause, string]>([
    [
      {
        log: {
          literal: 'refused',
          pattern: 'refused.*5432',
          part: ['cockpit', 'runner'],
          only_failing: true,
        },
      },
      'A log line holds `refused` and matches `refused.*5432` in a log of the cockpit or the runner of a container that is not ready or ended with an error.',
    ],
    [
      { container: { waiting: ['ErrImagePull', 'ImagePullBackOff'] } },
      'A container waits with the reason `ErrImagePull` or `ImagePullBackOff`.',
    ],
    [
      { container: { init: true, ended: ['Error'], exit_code: [1] } },
      'An init container ended with the reason `Error` with exit code `1`.',
    ],
    [{ container: { exit_code: [137] } }, 'A container with exit code `137`.'],
    [
      { pod: { phase: ['Pending'], condition: { type: 'PodScheduled', status: 'False' } } },
      'A pod in phase `Pending` whose condition `PodScheduled` is `False`.',
    ],
    [
      { event: { reason: ['FailedMount'], kind: ['Pod'], message: 'not found' } },
      'An event with the reason `FailedMount` about a `Pod` whose message matches `not found`.',
    ],
    [{ http: { path: '/readyz', check: 'consensus' } }, 'The check `consensus` of `/readyz` fails.'],
    [{ http: { path: '/livez' } }, '`/livez` fails.'],
    [
      { environment: { part: ['campaign'], name: 'DATABASE_URL', is: 'set', not_matches: '^postgres' } },
      'The variable `DATABASE_URL` of campaign is set and does not match `^postgres`.',
    ],
    [
      { environment: { part: ['runner'], name: 'X', matches: 'y' } },
      'The variable `X` of the runner matches `y`.',
    ],
    [{ certificate: { of: 'mesh_ca', is: 'expired' } }, 'The CA of the mesh of a namespace has expired.'],
    [
      { condition: { kind: ['Deployment'], type: 'Available', status: ['False', 'Unknown'] } },
      'The condition `Available` of a `Deployment` is `False` or `Unknown`.',
    ],
    [{ check: 'cron_job_suspended' }, 'A CronJob is suspended.'],
  ])('says what %j looks for', (clause, words) => {
    expect(clauseLabel(clause)).toBe(words);
  });

  it('has a sentence of its own for every check that is code', () => {
    const said = codedCheck.options.map((check) => clauseLabel({ check }));
    expect(new Set(said).size).toBe(codedCheck.options.length);
  });

  it('keeps a backtick of a pattern from ending the code it stands in', () => {
    const words = clauseLabel({ log: { literal: 'name', pattern: '`(?<name>\\w+)`' } });
    expect(words.match(/`/g)).toHaveLength(4);
  });

  it('shows placeholders as what they stand for', () => {
    expect(withPlaceholders('{workload} in {namespace} {not one}')).toBe(
      '‹workload› in ‹namespace› {not one}',
    );
  });

  it('stands by area in its own order, the gravest first, and is searched by what it is looked for by', () => {
    const all = [
      entry('node-full', { area: 'nodes' }),
      entry('mild', { severity: 'info' }),
      entry('grave', { severity: 'critical', look_for: [{ check: 'quota_used_up' }] }),
    ];
    const ids = (filter: Parameters<typeof areaGroups>[1]) =>
      areaGroups(all, filter).map(({ area, symptoms }) => [area, ...symptoms.map(({ id }) => id)].join(' '));
    expect(ids({})).toEqual(['start_up grave mild', 'nodes node-full']);
    expect(ids({ q: 'ResourceQuota' })).toEqual(['start_up grave']);
    expect(ids({ q: 'refused listens', severity: 'info' })).toEqual(['start_up mild']);
    expect(ids({ q: 'no such words' })).toEqual([]);
  });
});

describe('the ways on', () => {
  it('leads from a log line to the log it stands in, and to its line only where lines do not move', () => {
    const evidence = {
      kind: 'log',
      object: { kind: 'Pod', name: 'api-1', namespace: 'cockpit' },
      container: 'api',
      ref: 'cockpit/api-1/api (previous)',
      line: 12,
      text: 'panic',
    } as const;
    expect(evidenceAddress(evidence, { target: null, fixed: false })?.to).toEqual({
      tab: 'logs',
      namespace: 'cockpit',
      name: 'api-1',
      container: 'api',
      previous: 'true',
    });
    expect(evidenceAddress(evidence, { target: 'bundle:ab12', fixed: true })?.to).toMatchObject({
      record: '12',
      target: 'bundle:ab12',
    });
    expect(
      evidenceAddress({ kind: 'text', ref: 'text', text: 'x' }, { target: null, fixed: false }),
    ).toBeUndefined();
  });

  it('takes no pod for its earlier run by its name', () => {
    const previousOf = (ref: string) =>
      evidenceAddress(
        { kind: 'log', object: { kind: 'Pod', name: 'x', namespace: 'ns' }, ref, text: 'x' },
        { target: null, fixed: false },
      )?.to.previous;
    expect(previousOf('ns/previous/api')).toBeUndefined();
    expect(previousOf('namespaces/ns/pods/x/api/api/logs/previous.log')).toBe('true');
    expect(previousOf('podlogs/ns/x/api-previous.log')).toBe('true');
  });

  it('leads from what was seen on an object to that object as it is', () => {
    const object = { kind: 'Deployment', name: 'api', namespace: 'cockpit' };
    expect(
      evidenceAddress({ kind: 'condition', object, ref: 'x', text: 'x' }, { target: null, fixed: false })?.to,
    ).toEqual({ tab: 'namespaces', record: 'cockpit', kind: 'Deployment', name: 'api' });
  });

  it('leads from an object to the page that shows it', () => {
    const tabOf = (kind: string, namespace?: string) =>
      objectAddress({ kind, name: 'x', ...(namespace !== undefined && { namespace }) }, null);
    expect(tabOf('Node')).toEqual({ tab: 'nodes', record: 'x' });
    expect(tabOf('Service', 'ns')).toEqual({ tab: 'services', record: 'ns/x' });
    expect(tabOf('ClientInstance', 'ns')).toEqual({ tab: 'controlPlanes', record: 'ClientInstance/ns/x' });
    expect(tabOf('Deployment', 'ns')).toEqual({ tab: 'namespaces', record: 'ns' });
    expect(tabOf('ClusterRole')).toBeUndefined();
  });
});

describe('a command of a fix', () => {
  it('speaks to the cluster that was diagnosed, whichever kubectl would choose', () => {
    expect(inContext('kubectl -n a get pods', 'prod-eu-1')).toBe('kubectl --context prod-eu-1 -n a get pods');
    expect(inContext('kubectl get a || kubectl get b | grep kubectl', 'x')).toBe(
      'kubectl --context x get a || kubectl --context x get b | grep kubectl',
    );
    expect(inContext('openssl rand -base64 32', 'x')).toBe('openssl rand -base64 32');
    expect(inContext('kubectl get pods', undefined)).toBe('kubectl get pods');
  });

  it('quotes a context that a shell would not take as one word', () => {
    expect(inContext('kubectl get pods', "it's $HOME; rm -rf")).toBe(
      "kubectl --context 'it'\\''s $HOME; rm -rf' get pods",
    );
    expect(kubeconfigCommand('/a b/sandbox/kubeconfig:/home/x/.kube/config')).toBe(
      "export KUBECONFIG='/a b/sandbox/kubeconfig'",
    );
    expect(kubeconfigCommand('C:\\Data\\kubeconfig;D:\\x')).toBe("export KUBECONFIG='C:\\Data\\kubeconfig'");
  });

  it('names a context for what kubectl knows by one, and for nothing else', () => {
    expect(contextOf({ id: 'prod-eu-1', kind: 'context' })).toBe('prod-eu-1');
    expect(contextOf({ id: 'sandbox', kind: 'sandbox' })).toBe('sandbox');
    expect(contextOf({ id: 'in-cluster', kind: 'in_cluster' })).toBeUndefined();
    expect(contextOf({ id: 'bundle:a', kind: 'bundle' })).toBeUndefined();
    expect(contextOf(undefined)).toBeUndefined();
  });
});
