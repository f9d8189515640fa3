import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { report } from '../../../src-shared/api/troubleshoot.ts';
import { startTestCluster } from '../../support/kube-api.ts';
import { program } from '../../support/program.ts';
import { newFolder } from '../../support/started-console.ts';
import { deployment, pod, waiting } from '../features/cluster/harness.ts';

const folder = newFolder();
const run = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [program, 'diagnose', ...args], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOME: folder,
        CONSOLE_LOG_LEVEL: 'silent',
        CONSOLE_KEYCHAIN: 'off',
        ...env,
      },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(input);
  });
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(7);
const line =
  'refusing to serve: no session signing key. Set AUTH_JWT_SECRET; in a cluster the session secret provides it.';
const items = [
  deployment({ name: 'web', namespace: 'shop', ready: 0 }),
  pod({
    name: 'web-1',
    namespace: 'shop',
    of: 'web',
    status: waiting('ErrImageNeverPull', 'Container image "web:1" is not present with pull policy of Never'),
  }),
];
const usedUp = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'compute', namespace: 'shop' },
  status: { hard: { pods: '4' }, used: { pods: '4' } },
};
const listOf = (objects: readonly object[]) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });

describe('operator-console diagnose', () => {
  it('explains a log in words, and exits with 3 because something was found', async () => {
    const { code, out } = await run(['--text', write('broken.log', `starting\n${line}\n`)]);
    expect(code).toBe(3);
    expect(out).toMatch(/broken\.log: 1 critical/);
    expect(out).toContain(line);
    expect(out).toContain('What to do:');
    expect(out).toContain('AUTH_JWT_SECRET');
    // Whoever reads it has no page to open: the requirement is there in full.
    expect(out).toMatch(/Reference: BCK-062: .*session signing key.*is unset\.$/m);
    // Plain text: no colour and no cursor movements.
    expect(out).not.toContain(esc);
  });

  it('sends nothing of a log to the terminal that would move its cursor', async () => {
    const { out } = await run(['--text', '-'], `${esc}[2J${esc}]0;x${bell}${line}\n`);
    expect(out).toContain(line);
    expect([out.includes(esc), out.includes(bell)]).toEqual([false, false]);
  });

  it('exits with 0 when nothing is found', async () => {
    const { code, out } = await run(['--text', '-'], 'listening on 7100\n');
    expect([code, out]).toEqual([0, expect.stringContaining('nothing was found')]);
  });

  it('reads a bundle and prints the whole report as JSON', async () => {
    const { code, out, err } = await run([write('objects.json', listOf(items)), '--json']);
    expect([code, err]).toEqual([3, '']);
    const { findings, not_checked, source } = report.parse(JSON.parse(out));
    expect(source).toBe('bundle');
    expect(findings.some(({ objects }) => objects.some(({ name }) => name === 'web'))).toBe(true);
    expect(not_checked.map(({ what }) => what)).toContain('Events');
  });

  it('prints Markdown, in which what was seen stands as it was', async () => {
    const { code, out } = await run(['--text', '-', '--markdown'], `${line} \`\`\` <b>\n`);
    expect(code).toBe(3);
    expect(out).toMatch(/^# Diagnosis of /);
    expect(out).toContain(`\`\`\`\`text\n${line} \`\`\` <b>\n\`\`\`\``);
  });

  it.each([
    ['critical', 0],
    ['warning', 3],
  ])('with --fail-on %s exits with %i for a cluster that has warnings only', async (severity, expected) => {
    const cluster = await startTestCluster([usedUp]);
    try {
      const { code, out } = await run(['--target', 'test', '--json', '--fail-on', severity], '', {
        KUBECONFIG: cluster.kubeconfig,
      });
      expect([...new Set(report.parse(JSON.parse(out)).findings.map((finding) => finding.severity))]).toEqual(
        ['warning'],
      );
      expect(code).toBe(expected);
    } finally {
      await cluster.close();
    }
  });

  it('exits with 1 and one sentence when a cluster does not answer', async () => {
    const cluster = await startTestCluster([]);
    await cluster.stop();
    try {
      const { code, err } = await run(['--target', 'test'], '', { KUBECONFIG: cluster.kubeconfig });
      expect([code, err]).toEqual([1, expect.stringMatching(/^error: test could not be read\. .+\n$/)]);
    } finally {
      await cluster.close();
    }
  });

  it('exits with 1 and a sentence for what is no bundle and for a target there is none of', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    for (const args of [
      [write('not.tar.gz', 'hello')],
      [join(folder, 'no-such-file')],
      ['--target', 'nobody'],
    ]) {
      const { code, err } = await run(args);
      expect([args, code, err]).toEqual([args, 1, expect.stringMatching(/^error: \S.*\n$/)]);
    }
  });

  it('names --text for a text that is no bundle', async () => {
    const file = write('describe.txt', 'Name: web-1\nStatus: Pending\n');
    expect((await run([file])).err).toMatch(/ is no bundle: .* read it with --text .*describe\.txt\n$/);
  });

  it.each([
    [[]],
    [['x.tar.gz', '--target', 'test']],
    [['--text', '-', '--json', '--markdown']],
    [['--text', '-', '--fail-on', 'terrible']],
  ])('exits with 2 for %j', async (args) => {
    const { code, err } = await run(args);
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: /)]);
  });
});
