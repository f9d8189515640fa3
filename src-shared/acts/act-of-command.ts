import type { ActId, ActObject } from '../api/acts.ts';
import { platformPrefix } from '../platform/labels.ts';

/** An act that a command stands for; arguments the command leaves open are missing. */
export type CommandedAct = {
  readonly act: ActId;
  readonly object: ActObject;
  readonly args: Readonly<Record<string, unknown>>;
};

const kinds: Readonly<Record<string, Pick<ActObject, 'group' | 'version' | 'kind'>>> = {
  deployment: { group: 'apps', version: 'v1', kind: 'Deployment' },
  statefulset: { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  daemonset: { group: 'apps', version: 'v1', kind: 'DaemonSet' },
  cronjob: { group: 'batch', version: 'v1', kind: 'CronJob' },
  job: { group: 'batch', version: 'v1', kind: 'Job' },
  pod: { group: '', version: 'v1', kind: 'Pod' },
  node: { group: '', version: 'v1', kind: 'Node' },
  cockpitcontrolplane: { group: platformPrefix, version: 'v1alpha1', kind: 'CockpitControlPlane' },
  campaigncontrolplane: { group: platformPrefix, version: 'v1alpha1', kind: 'CampaignControlPlane' },
  clientinstance: { group: platformPrefix, version: 'v1alpha1', kind: 'ClientInstance' },
};

/** Returns group and version of a kind that acts are for, in whatever case and number; undefined for another. */
export function actableKind(kind: string): Pick<ActObject, 'group' | 'version' | 'kind'> | undefined {
  const name = kind.toLowerCase();
  return kinds[name] ?? kinds[name.replace(/s$/, '')];
}

/** A value that a person has to fill in, such as REPOSITORY:TAG, VALUE or `<name>`. */
const isOpen = (text: string): boolean => text === '' || /^[A-Z][A-Z_:]+$/.test(text) || /[<>{}]/.test(text);

/** Returns the act that one kubectl command stands for; undefined for a command that is none, or is more than one. */
export function actOfCommand(command: string): CommandedAct | undefined {
  if (/[|;&\n`$]/.test(command)) return undefined;
  const [program, ...words] = command.trim().split(/\s+/);
  if (program !== 'kubectl') return undefined;
  const { rest, flags } = sortWords(words);
  const namespace = flags.get('-n') ?? flags.get('--namespace');
  const [verb, second = '', third = '', ...more] = rest;
  if (flags.has('--list') || flags.has('--force')) return undefined;
  switch (verb) {
    case 'rollout': {
      const acts: Readonly<Record<string, ActId>> = {
        restart: 'restart',
        undo: 'rollback',
        pause: 'suspend',
        resume: 'resume',
      };
      const revision = Number(flags.get('--to-revision'));
      return named(acts[second], third, more[0], namespace, revision > 0 ? { revision } : {});
    }
    case 'scale': {
      const replicas = Number(flags.get('--replicas') ?? Number.NaN);
      return named('scale', second, third, namespace, Number.isInteger(replicas) ? { replicas } : {});
    }
    case 'edit':
      return named('apply', second, third, namespace, {});
    case 'delete':
      return actableKind(second.split('/')[0] ?? '')?.kind === 'Pod'
        ? named('delete_pod', second, third, namespace, {})
        : undefined;
    case 'cordon':
    case 'uncordon':
    case 'drain':
      return named(verb, 'node', second, undefined, {});
    case 'create': {
      const [kind = '', name = ''] = (flags.get('--from') ?? '').split('/');
      return second === 'job' && actableKind(kind)?.kind === 'CronJob'
        ? named('run_cron_job', kind, name, namespace, {})
        : undefined;
    }
    case 'set':
      return setting(second, third, more[0] ?? '', namespace, flags);
    default:
      return undefined;
  }
}

type Flags = ReadonlyMap<string, string>;

function setting(what: string, object: string, value: string, namespace: string | undefined, flags: Flags) {
  const at = value.indexOf('=');
  const [left, right] = at === -1 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
  if (what === 'image')
    return named('set_image', object, undefined, namespace, {
      ...(isOpen(left) ? {} : { container: left }),
      ...(isOpen(right) ? {} : { image: right }),
    });
  if (what !== 'env') return undefined;
  const container = flags.get('-c') ?? flags.get('--containers');
  return named('set_env', object, undefined, namespace, {
    ...(container === undefined || isOpen(container) ? {} : { container }),
    ...(left === '' ? {} : { name: left }),
    ...(isOpen(right) ? {} : { value: right }),
  });
}

/** `deployment/web`, or `deployment web`. */
function named(
  act: ActId | undefined,
  object: string,
  next: string | undefined,
  namespace: string | undefined,
  args: CommandedAct['args'],
): CommandedAct | undefined {
  const [kindName = '', slashed] = object.split('/');
  const name = slashed ?? next;
  const kind = actableKind(kindName);
  if (act === undefined || kind === undefined || name === undefined || isOpen(name)) return undefined;
  const isNode = kind.kind === 'Node';
  if (!isNode && (namespace === undefined || isOpen(namespace))) return undefined;
  return {
    act,
    object: { ...kind, name, ...(isNode || namespace === undefined ? {} : { namespace }) },
    args,
  };
}

const valued = new Set([
  '-n',
  '--namespace',
  '-c',
  '--containers',
  '--context',
  '--replicas',
  '--from',
  '--to-revision',
]);

/** Words and flags of a command, with what each flag is set to. */
function sortWords(words: readonly string[]) {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) {
      rest.push(word);
      continue;
    }
    const [flag = '', value] = word.split(/=(.*)/s);
    if (value === undefined && valued.has(flag)) {
      index += 1;
      flags.set(flag, words[index] ?? '');
    } else flags.set(flag, value ?? '');
  }
  return { rest, flags };
}
