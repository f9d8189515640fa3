import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConsoleTables, consoleMigrations } from '../../../../src-main/console/tables.ts';
import { checkDefinition } from '../../../../src-main/features/playbooks/check-definition.ts';
import { decideStep, progressOf } from '../../../../src-main/features/playbooks/decisions.ts';
import { openPlaybooks } from '../../../../src-main/features/playbooks/playbooks.ts';
import { createRun, readRun } from '../../../../src-main/features/playbooks/runs.ts';
import { openStore } from '../../../../src-main/store/index.ts';
import { dialects } from '../../../support/databases.ts';
import { folderActs, playbookParts } from '../../../support/playbook-parts.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { sweepOf } from '../../../support/sweeps.ts';

/** Kills on each of the two databases: in full at each border of a run, and some twice. */
const kills = sweepOf(100, 20);
/** Borders of a whole run: both sides of each query of the store, and of each act. */
const borders = 70;

const act = (name: string) =>
  `{ act: restart, object: { group: apps, kind: Deployment, namespace: shop, name: ${name} } }`;
const text = `
name: killed
title: Killed
steps:
  - { id: one, title: First, act: ${act('one')} }
  - { id: two, title: Second, act: ${act('two')} }
  - { id: check, title: Check, check: steps.one.state == "done" }
  - { id: three, title: Third, act: ${act('three')} }
`;

const program = join(repoRoot, 'test/support/playbook-console.ts');

function exited(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))));
}

for (const dialect of dialects) {
  describe.skipIf(dialect.missing !== undefined)(`a run whose console is killed, on ${dialect.name}`, () => {
    it(`is taken up by another console, and each act is done once or known to be unknown: ${kills} kills`, async () => {
      const { place, remove } = await dialect.place();
      const store = await openStore<ConsoleTables>({ location: place, migrations: consoleMigrations });
      const acts = folderActs();
      const { definition } = checkDefinition(text);
      if (definition === undefined) throw new Error('The definition of the test cannot be run.');
      const times = { lease: 400, renew: 100 };
      const seen = { killed: 0, unknown: 0 };
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          const { id } = await createRun(
            store.db,
            { definition, text, inputs: {}, target: 'test', rehearsal: false, by: 'ann', kind: 'person' },
            Date.now(),
          );
          const given =
            place.kind === 'sqlite' ? { ...place, encryption: place.encryption.toString('hex') } : place;
          // Beside those of the store, the one at which nobody but the object knows what was done.
          const border =
            kill % 20 === 19
              ? 'after the act'
              : 1 + (Math.floor((kill * borders) / Math.min(kills, borders)) % borders);
          const child = spawn(
            process.execPath,
            [program, JSON.stringify({ place: given, folder: acts.folder, border })],
            { stdio: ['ignore', 'ignore', 'inherit'] },
          );
          const gone = exited(child);
          const ended = async (): Promise<boolean> => (await readRun(store.db, id)).ended_at !== null;
          // It is killed at its border; with less borders than that it ends the run, and then is killed all the same.
          await expect
            .poll(async () => child.exitCode !== null || child.signalCode !== null || (await ended()), {
              timeout: 20_000,
              interval: 20,
            })
            .toBe(true);
          if (child.signalCode === 'SIGKILL') seen.killed += 1;
          child.kill('SIGKILL');
          expect(await gone).toBe('SIGKILL');

          const other = openPlaybooks(playbookParts(store, acts, { times }));
          await expect
            .poll(
              async () => {
                const run = await readRun(store.db, id);
                const last = progressOf(run).attempts.at(-1);
                if (last?.waits_for === 'look' && run.ended_at === null) {
                  seen.unknown += 1;
                  const wasDone = acts.done().some((line) => line.startsWith(`${id}/${last.seq} `));
                  await decideStep(other.decisions, {
                    runId: id,
                    seq: last.seq,
                    verdict: wasDone ? 'approve' : 'reject',
                    by: 'bob',
                    note: '',
                    digest: '',
                    confirm: '',
                  }).catch(() => undefined);
                }
                return run.ended_at !== null;
              },
              { timeout: 20_000, interval: 20 },
            )
            .toBe(true);
          await other.close();

          const run = await readRun(store.db, id);
          const done = acts.done().filter((line) => line.startsWith(id));
          // Never twice: each key, and each object, once at most.
          expect(new Set(done).size).toBe(done.length);
          expect(new Set(done.map((line) => line.split(' ')[2])).size).toBe(done.length);
          // What the run says was done was done, and nothing else.
          const said = progressOf(run)
            .attempts.filter(({ state, act: of }) => state === 'done' && of !== undefined)
            .map(({ seq }) => `${id}/${seq}`);
          expect([border, done.map((line) => line.split(' ')[0])]).toEqual([border, said]);
          if (run.state === 'succeeded') expect(done).toHaveLength(3);
        }
        expect(seen.killed).toBeGreaterThan(kills / 2);
        expect(seen.unknown).toBeGreaterThan(0);
      } finally {
        acts.remove();
        await store.close();
        remove();
      }
    }, 1_200_000);
  });
}
