import { ConsoleError } from '#shared/errors.ts';
import { type Asker, type Found, searchNames } from '../tools/index.ts';
import type { KnownAs, KnownNames } from './grammar/read-message.ts';

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet'];

/**
 * Returns what the words of a message stand for where the asker may see it: of a name that nobody may see, nothing is
 * said. What cannot be read counts as not known.
 */
export async function knownNames(words: readonly string[], asker: Asker): Promise<KnownNames> {
  const known = new Map<string, Set<KnownAs>>();
  const add = (name: string, as: KnownAs): void => {
    known.set(name.toLowerCase(), (known.get(name.toLowerCase()) ?? new Set()).add(as));
  };
  if (words.length === 0) return known;
  const isAsked = (name: string): boolean => words.includes(name.toLowerCase());
  await Promise.all([
    ...words.map((word) =>
      orNothing(async () => {
        for (const each of await searchNames({ q: word.slice(0, 200), limit: '20' }, asker)) {
          const as = kindOf(each);
          if (as !== undefined && isAsked(each.name)) add(each.name, as);
        }
      }),
    ),
    orNothing(async () => {
      for (const { name } of (await asker.read('fleet.agents', { query: { target: asker.target } })).items)
        if (isAsked(name)) add(name, 'agent');
    }),
    orNothing(async () => {
      for (const { name } of (await asker.read('studio.list')).apps) if (isAsked(name)) add(name, 'repo');
    }),
  ]);
  return known;
}

function kindOf({ group, kind }: Found): KnownAs | undefined {
  if (group === 'namespaces') return 'namespace';
  if (group === 'nodes') return 'node';
  if (group === 'pods') return 'pod';
  if (group === 'apps') return 'repo';
  if (kind !== undefined && workloadKinds.includes(kind)) return 'workload';
  return group === 'objects' ? 'object' : undefined;
}

async function orNothing(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
  }
}
