import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleTables } from '../../src-main/console/tables.ts';
import type { ActRequest, Acts as Registry } from '../../src-main/features/acts/index.ts';
import { createCommandQueue } from '../../src-main/features/agents/index.ts';
import { createEvent, type Ended } from '../../src-main/features/audit/events.ts';
import type { Audit } from '../../src-main/features/audit/index.ts';
import type { PlaybooksParts } from '../../src-main/features/playbooks/playbooks.ts';
import { noCluster } from '../../src-main/sources/cluster/index.ts';
import { localNotices, type Notices, type Store } from '../../src-main/store/index.ts';

type Acts = Pick<Registry, 'preview' | 'perform'>;

/** Acts that keep what they did in a folder, as the registry keeps it in the store: a key is used once, in any process. */
export type FolderActs = Acts & {
  readonly folder: string;
  /** What was done to objects, in order: a line for each act, with its key. */
  done(): string[];
  remove(): void;
};

type Faults = {
  /** Called at the border before the act, and after it before its outcome is kept. */
  readonly border?: (name: 'before the act' | 'after the act') => void | Promise<void>;
  readonly outcome?: (request: ActRequest) => 'done' | 'failed';
};

export function folderActs(
  folder = mkdtempSync(join(tmpdir(), 'playbook-acts-')),
  { border = () => undefined, outcome = () => 'done' }: Faults = {},
): FolderActs {
  const log = join(folder, 'done.log');
  const file = (key: string, what: string): string => join(folder, `${key.replaceAll('/', '_')}.${what}`);
  return {
    folder,
    done: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    remove: () => rmSync(folder, { recursive: true, force: true }),
    async preview({ act, object, target }) {
      return {
        digest: `${act} ${object.kind} ${object.name}`,
        sentence: `${act} ${object.kind} ${object.name} in ${target}.`,
        class: act === 'delete_pod' ? 'deletion' : 'workloads',
        allowed: true,
        resource_version: '1',
        judged_by: 'console',
        owners: [],
        diff: [],
        effects: [],
        warnings: [],
        protected: false,
      };
    },
    async perform({ key, digest, ...request }) {
      if (digest !== `${request.act} ${request.object.kind} ${request.object.name}`)
        return { state: 'refused', sentence: 'It changed meanwhile.', act_id: key };
      try {
        writeFileSync(file(key, 'key'), '', { flag: 'wx' });
      } catch {
        for (let tries = 0; tries < 20 && !existsSync(file(key, 'outcome')); tries += 1) await sleep(20);
        return existsSync(file(key, 'outcome'))
          ? JSON.parse(readFileSync(file(key, 'outcome'), 'utf8'))
          : { state: 'unknown', sentence: 'The console ended while it acted.', act_id: key };
      }
      await border('before the act');
      const state = outcome(request);
      if (state === 'done') appendFileSync(log, `${key} ${request.act} ${request.object.name}\n`);
      await border('after the act');
      const answer = {
        state,
        sentence: `${request.act} ${state}.`,
        act_id: key,
        undo: { act: request.act, object: request.object, args: {}, sentence: 'Back.' },
      };
      writeFileSync(file(key, 'outcome.part'), JSON.stringify(answer));
      writeFileSync(file(key, 'outcome'), JSON.stringify(answer));
      return answer;
    },
  };
}

/** What playbooks need of a console beside a store: acts in a folder, everything allowed, and what was audited. */
export function playbookParts(
  store: Pick<Store<ConsoleTables>, 'db'>,
  acts: Acts,
  changed: Partial<PlaybooksParts> = {},
): PlaybooksParts & { readonly audited: Ended[]; readonly notices: Notices } {
  const audited: Ended[] = [];
  const audit: Audit = {
    begin: async (act, detail = {}) =>
      createEvent(act, detail, async (ended) => {
        audited.push(ended);
      }),
  };
  const now = changed.now ?? Date.now;
  const queue = createCommandQueue(() => store.db, now);
  return {
    db: store.db,
    acts,
    decide: async () => ({ verdict: 'allowed', sentence: 'A test.' }),
    needsOther: async () => false,
    targetOf: async (id) => ({ id, cluster: noCluster(now) }),
    sandboxTarget: () => undefined,
    commands: { enqueue: queue.enqueue, find: queue.find },
    audit,
    notices: localNotices(),
    log: { error: () => undefined, warn: () => undefined },
    times: { lease: 1_000, renew: 200 },
    audited,
    ...changed,
    now,
  };
}
