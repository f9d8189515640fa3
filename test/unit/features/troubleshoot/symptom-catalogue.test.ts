import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { patternsOf } from '../../../../src-main/features/troubleshoot/catalogue/check-symptoms.ts';
import {
  catalogueOf,
  readCatalogue,
} from '../../../../src-main/features/troubleshoot/catalogue/read-catalogue.ts';
import { diagnoseText } from '../../../../src-main/features/troubleshoot/index.ts';
import { longestTried, placeholders, type Symptom } from '../../../../src-shared/api/symptoms.ts';
import { patternFaults } from '../../../support/patterns/pattern-faults.ts';
import { repoRoot } from '../../../support/repo-root.ts';

const catalogue = readCatalogue();
const given = z.record(
  z.string(),
  z.strictObject({
    /** Who writes so. */
    from: z.string().min(1),
    finds: z.array(z.string()).min(1),
    passes: z.array(z.string()).min(1),
  }),
);
const fixture = (file: string) =>
  given.parse(load(readFileSync(join(repoRoot, 'test/fixtures/symptoms', file), 'utf8')));
const lines = { ...fixture('log-lines-backends.yaml'), ...fixture('log-lines-programs.yaml') };
const messages = fixture('messages.yaml');

const logClauses = ({ look_for }: Symptom) =>
  look_for.flatMap((clause) => ('log' in clause ? [clause.log] : []));

/** Ids of the symptoms that a pasted text is explained by, those that are folded into others too. */
async function explained(text: string): Promise<string[]> {
  return (await diagnoseText(text, catalogue)).findings.flatMap(({ symptom, explains }) => [
    symptom,
    ...explains,
  ]);
}

/**
 * The requirements that name a symptom, and where they say in which words it shows, those words. The
 * references are the ones entries bear.
 */
const rows: readonly (readonly [reference: string, ...words: string[]])[] = [
  ['BCK-054', 'invalid or expired session token'],
  ['BCK-055', 'Password sign-in is disabled, use the identity-provider sign-in'],
  ['BCK-056', 'SSO is not available on this instance', 'sso_login_refused_no_allowlist'],
  ['BCK-057', 'This account is not authorized for this instance'],
  ['BCK-058', 'OIDC not configured'],
  ['BCK-059', 'a token rejected for its audience'],
  ['BCK-060', 'the break-glass admin was not seeded'],
  ['BCK-048'],
  ['BCK-061'],
  ['BCK-062', 'refusing to serve: no session signing key'],
  ['BCK-063', 'mesh identity unavailable, refusing to start'],
  ['BCK-064', 'no inference endpoint configured'],
  ['BCK-065', 'unknown embedding format'],
  ['BCK-066', 'appfs root: at-rest key unavailable'],
  ['BCK-067', 'envelope key not valid base64', 'envelope key must be 32 bytes'],
  ['BCK-068', 'appfs root could not be mounted, object store unavailable'],
  ['BCK-068', 'cleartext object-store traffic is refused'],
  ['BCK-069', 'OBJECTSTORE_USE_SSL is set'],
  ['BCK-070', 'raft orchestrator failed to start with RAFT_NODE_ID set'],
  ['BCK-071', 'RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty'],
  ['BCK-072', 'SQLITE_PATH must be absolute', 'PORT is not a port number'],
  ['BCK-073', 'replica restore failed'],
  ['BCK-074'],
  ['BCK-075', 'The dedicated runner is unreachable, and fetch does not run on the control plane'],
  ['BCK-076', 'FailedPrecondition: INFERENCE_REMOTE_URL'],
  ['BCK-077', 'schedule dry-run'],
  ['BCK-078', 'instance discovery is unavailable'],
  ['BCK-079', 'grounding is inactive'],
  ['BCK-080'],
  ['BCK-081'],
  ['BCK-082', 'did not answer after warmup'],
  ['BCK-083'],
  ['BCK-084'],
  ['BCK-085'],
  ['BCK-086'],
  ['BCK-094'],
  ['BCK-013'],
  ['BCK-014'],
  ['BCK-015'],
  ['BCK-016'],
  ['BCK-031'],
  ['BCK-033'],
  ['BCK-041'],
  ['BCK-040'],
  ['BCK-036'],
  ['BCK-039'],
  ['BCK-051'],
  ['BCK-053'],
  ['BCK-005'],
  ['BCK-024'],
  ['BCK-030'],
];

describe('the catalogue of symptoms', () => {
  it.each(rows)('has what %s says', async (number, ...words) => {
    const entries = catalogue.filter(({ reference }) => reference === number);
    expect(entries.map(({ id }) => id)).not.toEqual([]);
    for (const text of words)
      expect(entries.map(({ id }) => id)).toEqual(
        expect.arrayContaining([expect.toBeOneOf(await explained(`2026-11-20T20:33:43Z ${text}`))]),
      );
  });

  it('looks for nothing in logs that is found in every other line', () => {
    const literals = catalogue.flatMap((symptom) => logClauses(symptom).map(({ literal }) => literal));
    expect(literals.filter((literal) => literal.length < 8)).toEqual([]);
  });

  it('writes titles as clauses, and causes, steps and what rules it out as sentences', () => {
    const wrong = catalogue.flatMap(({ id, title, cause, fix, ruled_out_by }) => [
      ...(title.endsWith('.') ? [`${id}: ${title}`] : []),
      ...[cause, ruled_out_by, ...fix.map(({ text }) => text)]
        .filter((text) => !/^\S.*\.$/s.test(text))
        .map((text) => `${id}: ${text}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it('gives commands that a shell takes once they are filled in', () => {
    const names = new Set<string>([
      ...placeholders,
      ...catalogue.flatMap(({ look_for }) => groupsIn(look_for)),
    ]);
    const commands = catalogue.flatMap(({ fix }) => fix.flatMap(({ command }) => command ?? []));
    const filled = commands.map((command) =>
      command.replace(/\{([A-Za-z_]\w*)\}/g, (whole, name: string) => (names.has(name) ? 'filled' : whole)),
    );
    expect(filled.filter((command) => command.includes('\n'))).toEqual([]);
    // Reads without running.
    const read = spawnSync('sh', ['-n'], { input: filled.join('\n'), encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
  });

  it('says so in words where a command takes something away', () => {
    const silent = catalogue.flatMap(({ id, fix }) =>
      fix.flatMap(({ text, command = '' }) =>
        /\bdelete\b|--force|--replace|\bapply\b|\bundo\b|\bprune\b|(?<!-)\brm -/.test(command) &&
        !/\bThis (?:deletes|removes|replaces|puts)\b/.test(text)
          ? [`${id}: ${text}`]
          : [],
      ),
    );
    expect(silent).toEqual([]);
  });

  it('makes a new envelope key only where nothing was sealed, behind the warning', () => {
    const making = catalogue.filter(({ fix }) =>
      fix.some(({ command }) => command?.startsWith('openssl rand')),
    );
    expect(making.map(({ id }) => id)).toEqual(['campaign-envelope-key-unset', 'envelope-key-malformed']);
    for (const { fix } of making) {
      const at = fix.findIndex(({ command }) => command?.startsWith('openssl rand'));
      expect(fix[at]?.text).toMatch(/^Only where nothing was sealed yet/);
      expect(fix[at - 1]?.text).toMatch(/Never generate a new one over existing data/);
    }
  });

  it('restarts nothing for an expired CA before it was redistributed', () => {
    const expired = catalogue.filter(({ title }) => /mesh CA .*has expired/i.test(title));
    expect(expired.map(({ id }) => id).sort()).toEqual([
      'mesh-ca-expired',
      'mesh-ca-expired-at-start',
      'mesh-ca-expired-running',
    ]);
    for (const { fix, cause } of expired) {
      expect(cause).toContain('restart');
      const order = fix.map(({ text, command }) =>
        /redistribute/i.test(text) ? 'redistribute' : command?.includes('restart') ? 'restart' : 'other',
      );
      expect(order.indexOf('redistribute')).toBeLessThan(order.indexOf('restart'));
    }
  });
});

describe('log lines', () => {
  it('are there for every entry that looks into logs, and for no other', () => {
    const looking = catalogue.filter((symptom) => logClauses(symptom).length > 0).map(({ id }) => id);
    // Of errors by class the wordings have their own lines (wordings.test.ts).
    const byClass = catalogue.filter(({ look_for }) => look_for.some((clause) => 'class' in clause));
    const known = Object.keys(lines);
    expect(looking.filter((id) => !known.includes(id))).toEqual([]);
    expect(known.filter((id) => !looking.includes(id) && !byClass.some((one) => one.id === id))).toEqual([]);
  });

  it.each(Object.entries(lines))(
    'of %s are found, each of its clauses in one, and near misses are not',
    async (id, { finds, passes }) => {
      const symptom = catalogue.find((one) => one.id === id);
      for (const line of finds) expect.soft(await explained(line), line).toContain(id);
      for (const line of passes) expect.soft(await explained(line), line).not.toContain(id);
      const unseen = (symptom === undefined ? [] : logClauses(symptom)).filter(
        ({ literal, pattern = '' }) =>
          !finds.some(
            (line) =>
              line.toLowerCase().includes(literal.toLowerCase()) && new RegExp(pattern, 'iu').test(line),
          ),
      );
      expect(unseen).toEqual([]);
    },
  );
});

/** The patterns by which an entry looks for words of a component; what a value must not be is not among them. */
const messagePatterns = ({ look_for }: Symptom) =>
  look_for
    .filter((clause) => !('log' in clause))
    .flatMap((clause) => patternsOf(clause))
    .flatMap(({ field, source }) => (field === 'not_matches' ? [] : [new RegExp(source, 'iu')]));

describe('messages of components', () => {
  it('are there for every entry that looks for their words, and for no other', () => {
    const looking = catalogue.filter((symptom) => messagePatterns(symptom).length > 0).map(({ id }) => id);
    expect(Object.keys(messages).sort()).toEqual(looking.sort());
  });

  it.each(Object.entries(messages))(
    'of %s are found, each of its patterns in one, and near misses are not',
    (id, { finds, passes }) => {
      const patterns = catalogue.filter((symptom) => symptom.id === id).flatMap(messagePatterns);
      expect(finds.filter((message) => !patterns.some((pattern) => pattern.test(message)))).toEqual([]);
      expect(passes.filter((message) => patterns.some((pattern) => pattern.test(message)))).toEqual([]);
      expect(patterns.filter((pattern) => !finds.some((message) => pattern.test(message)))).toEqual([]);
    },
  );
});

describe('values that a backend does not take', () => {
  it.each([
    ['unknown-embedding-format', ['qwen3', 'nomic'], ['', ' raw ', 'qwen3-embedding', 'nomic-v1.5']],
    ['sqlite-path-not-absolute', ['data/cockpit.db', './cockpit.db'], ['', '/data/cockpit.db', ':memory:']],
    ['port-not-a-number', ['http', '0', '-1', 'tcp://10.43.0.21:80'], ['', '7100', ' 7102 ']],
  ])('are told from those it takes: %s', (id, refused, taken) => {
    const patterns = catalogue
      .filter((symptom) => symptom.id === id)
      .flatMap(({ look_for }) => look_for.flatMap((clause) => patternsOf(clause)))
      .flatMap(({ field, source }) => (field === 'not_matches' ? [new RegExp(source, 'iu')] : []));
    const isTaken = (value: string) => patterns.every((pattern) => pattern.test(value));
    expect([patterns.length, refused.filter(isTaken), taken.filter((value) => !isTaken(value))]).toEqual([
      1,
      [],
      [],
    ]);
  });
});

describe('patterns', () => {
  it('end on lines that are made to be slow', async () => {
    const patterns = [
      ...new Set(
        catalogue.flatMap(({ look_for, unless }) =>
          [...look_for, ...unless].flatMap((clause) => patternsOf(clause).map(({ source }) => source)),
        ),
      ),
    ];
    expect(patterns.length).toBeGreaterThan(100);
    // What no pattern needs minutes for; one that does hangs in the worker, which is then ended and names it.
    expect(await tried(patterns, 120_000)).toBe('all tried');
  }, 150_000);
});

/** Every pattern on lines of one character, and of its own beginnings over and over: what makes a matcher go back most. */
function tried(patterns: readonly string[], limit: number): Promise<string> {
  const source = `
    const { parentPort, workerData: { patterns, length } } = require('node:worker_threads');
    const filled = (piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    for (const source of patterns) {
      parentPort.postMessage(source);
      const pattern = new RegExp(source, 'iu');
      const words = source.match(/[A-Za-z][A-Za-z ]{2,}/g) ?? [];
      const pieces = ['a', '0', ' ', '"', ':', '/', '\\\\', 'a ', 'a: ', ...words, words.join(' '), words.join(' a '), words[0] + ' "a'].filter((piece) => piece !== '');
      for (const piece of pieces) for (const tail of ['', '!', '"']) pattern.test(filled(piece) + tail);
    }
    parentPort.postMessage('all tried');`;
  const worker = new Worker(source, { eval: true, workerData: { patterns, length: longestTried - 1 } });
  return new Promise((resolve, reject) => {
    let last = '';
    const late = setTimeout(() => resolve(`hangs in ${last}`), limit);
    worker.on('message', (message: string) => {
      last = message;
      if (message === 'all tried') resolve(message);
    });
    worker.on('error', reject);
    worker.on('exit', () => clearTimeout(late));
  }).finally(() => worker.terminate()) as Promise<string>;
}

function groupsIn(look_for: Symptom['look_for']): string[] {
  return look_for.flatMap((clause) =>
    patternsOf(clause).flatMap(({ source }) =>
      [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name),
    ),
  );
}

describe('a catalogue that is not as it should be is refused', () => {
  const entry = {
    id: 'one',
    area: 'workloads',
    title: 'One thing',
    severity: 'warning',
    look_for: [{ log: { literal: 'something rare' } }],
    cause: 'It is so.',
    fix: [{ text: 'Mend it.' }],
    ruled_out_by: 'It is not so.',
    reference: 'nowhere',
  };
  const catalogueWith =
    (...entries: object[]) =>
    () =>
      catalogueOf([{ file: 'a.yaml', text: JSON.stringify(entries) }]);
  const withPattern = (pattern: string) =>
    catalogueWith({ ...entry, look_for: [{ log: { literal: 'something rare', pattern } }] });

  it('takes the entry the others are made of', () => {
    expect(catalogueWith(entry)()).toMatchObject([{ id: 'one', unless: [], explains: [] }]);
  });

  it('adds what is explained through another', () => {
    const [one] = catalogueWith(
      { ...entry, explains: ['two'] },
      { ...entry, id: 'two', explains: ['three'] },
      { ...entry, id: 'three' },
    )();
    expect(one?.explains).toEqual(['two', 'three']);
  });

  it.each([
    ['a file that is no YAML', () => catalogueOf([{ file: 'a.yaml', text: '- {' }]), /a\.yaml is no YAML/],
    [
      'a file that is no list',
      () => catalogueOf([{ file: 'a.yaml', text: 'id: one' }]),
      /a\.yaml is no list of symptoms/,
    ],
    ['an unknown field', catalogueWith({ ...entry, cure: 'none' }), /a\.yaml, one: .*"cure"/],
    ['a missing field', catalogueWith({ ...entry, cause: undefined }), /a\.yaml, one: cause /],
    [
      'a literal that is too short',
      catalogueWith({ ...entry, look_for: [{ log: { literal: 'abc' } }] }),
      /a\.yaml, one: look_for\.0\.log\.literal /,
    ],
    ['an id twice', catalogueWith(entry, entry), /a\.yaml, one: id is taken by a\.yaml, one/],
    [
      'an explanation of what is no entry',
      catalogueWith({ ...entry, explains: ['two'] }),
      /a\.yaml, one: explains names two, which is no entry/,
    ],
    [
      'explanations in a circle',
      catalogueWith({ ...entry, explains: ['two'] }, { ...entry, id: 'two', explains: ['one'] }),
      /explains leads back to itself/,
    ],
    [
      'an explanation of something worse',
      catalogueWith({ ...entry, explains: ['two'] }, { ...entry, id: 'two', severity: 'critical' }),
      /explains names two, directly or through another, which is worse than itself/,
    ],
    [
      'a placeholder that not every clause gives',
      catalogueWith({
        ...entry,
        cause: 'It is {what}.',
        look_for: [{ log: { literal: 'something rare', pattern: '(?<what>a)' } }, { check: 'job_failed' }],
      }),
      /cause holds \{what\}, which not every clause of look_for gives/,
    ],
    ['a pattern that is none', withPattern('(a'), /look_for\.0\.log\.pattern must be a regular expression/],
  ])('for %s', (_, read, message) => {
    expect(read).toThrow(message);
  });
});

describe('a pattern of the catalogue', () => {
  const faultsWith = (pattern: string): string[] =>
    patternFaults({ look_for: [{ log: { literal: 'something rare', pattern } }], unless: [] });

  it('cannot run away on any line, whatever is written there', () => {
    expect(
      catalogue.flatMap((entry) => patternFaults(entry).map((fault) => `${entry.id}: ${fault}`)),
    ).toEqual([]);
  });

  it.each([
    ['a repetition in a repetition', '(?:a+)+b', /look_for\.0\.pattern repeats a group/],
    ['a repeated choice', '(?:a|a)*b', /look_for\.0\.pattern repeats a group/],
    [
      'three parts that share a run of characters',
      'x.*y.*z.*!',
      /look_for\.0\.pattern may take \d+ million steps/,
    ],
    [
      'numbers one behind the other',
      String.raw`\d+\d+\d+x`,
      /look_for\.0\.pattern may take \d+ million steps/,
    ],
    ['a look around', '(?=a)b', /look_for\.0\.pattern looks around/],
    ['a back reference', String.raw`(a)\1`, /look_for\.0\.pattern holds \\1/],
  ])('may not have %s', (_, pattern, message) => {
    expect(faultsWith(pattern)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    'secret "(?<missing>[^"]{1,253})" not found',
    '^Readiness probe failed: .{0,300}connection refused',
    String.raw`a{3}(?:b|cd)?[x-z]{1,40} \w{1,40}: `,
  ])('may be the harmless %s', (pattern) => {
    expect(faultsWith(pattern)).toEqual([]);
  });
});
