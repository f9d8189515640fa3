import { actId } from '#shared/api/acts.ts';
import { ConsoleError } from '#shared/errors.ts';
import { resources } from '../../../cluster-model/index.ts';
import type { ActRequest } from '../../acts/index.ts';
import { type ActingTool, type Asker, findNamed, outsideText } from '../../tools/index.ts';

/** An act with its object looked up, or the sentence that says why it is not known which. */
export type LookedUp = { readonly request: ActRequest } | { readonly why: string };

/**
 * Looks the object of an act up where the asker may see it: what has the name, of a kind the tool acts on. Nothing is
 * guessed: of several, the sentence names them.
 */
export async function requestOf(tool: ActingTool, given: unknown, asker: Asker): Promise<LookedUp> {
  const wanted = tool.wanted(given);
  if (wanted.kind !== undefined && !tool.kinds.includes(wanted.kind))
    return { why: `${tool.title} acts on ${tool.kinds.join(', ')}, not on ${outsideText(wanted.kind, 60)}.` };
  const target = asker.target ?? (await asker.read('targets.list')).chosen;
  if (target === undefined) return { why: 'There is no cluster to act on: choose one first.' };
  const agent =
    tool.name === 'arm' || tool.name === 'disarm' ? await scheduleOf(wanted.name, asker) : undefined;
  const { name, namespace } = agent ?? wanted;
  const found = (await findNamed({ name, namespace, kind: wanted.kind }, asker)).filter(
    ({ kind }) => kind !== undefined && tool.kinds.includes(kind),
  );
  const [one, ...others] = found;
  if (one?.kind === undefined)
    return {
      why: `There is no ${tool.kinds.join(' or ')} named ${outsideText(wanted.name, 100)} here. Nothing was done.`,
    };
  if (others.length > 0)
    return {
      why: `Several are named ${outsideText(name, 100)}: ${found
        .slice(0, 5)
        .map((each) => outsideText(`${each.kind} ${each.namespace ?? ''}/${each.name}`, 120))
        .join(', ')}. Say which, with its kind and namespace.`,
    };
  const resource = resources.everyKind.find(({ kind }) => kind === one.kind);
  if (resource === undefined) throw new Error(`the console reads no ${one.kind}`);
  const object = {
    group: resource.group,
    version: resource.versions[0],
    kind: resource.kind,
    ...(one.namespace === undefined ? {} : { namespace: one.namespace }),
    name: one.name,
  };
  const act = actId.parse(wanted.act);
  const args = act === 'rollback' ? await revision(wanted.args, object, { target, asker }) : wanted.args;
  if (typeof args === 'string') return { why: args };
  return { request: { target, act, object, args } };
}

/** The CronJob of an agent: it need not have the agent's name. */
async function scheduleOf(agent: string, asker: Asker): Promise<{ name: string; namespace: string }> {
  const { items } = await asker.read('fleet.schedules', { query: { target: asker.target } });
  const found = items.find((each) => each.agent === agent || each.name === agent);
  if (found === undefined)
    throw new ConsoleError(
      'NotFound',
      `There is no agent ${outsideText(agent, 100)} with a schedule here. Nothing was done.`,
    );
  return found;
}

/** The revision before the current one, where none is named. */
async function revision(
  args: Readonly<Record<string, unknown>>,
  object: ActRequest['object'],
  { target, asker }: { readonly target: string; readonly asker: Asker },
): Promise<Readonly<Record<string, unknown>> | string> {
  if (args.revision !== undefined) return args;
  const offered = await asker.read('acts.offer', { query: { target, ...object } });
  const before = (offered.revisions ?? [])
    .filter((each) => !each.current)
    .toSorted((a, b) => b.revision - a.revision)[0];
  return before === undefined
    ? `${object.kind} ${outsideText(object.name, 100)} has no revision to roll back to.`
    : { revision: before.revision };
}
