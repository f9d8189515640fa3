import type { ActChange, ActPreview } from '#shared/api/acts.ts';
import { isJsonObject, objectAt, textAt } from '../../base/json-fields.ts';
import type { RawObject } from '../../cluster-model/index.ts';
import { selects } from '../../kube-objects/index.ts';
import { definitionOf } from './definitions.ts';
import { changedPaths, diffOf } from './diff.ts';
import type { Judged } from './judge.ts';
import { ownersOf } from './owners.ts';
import { objectLabel, revisionOf } from './plans/identity.ts';
import type { ActContext, ActRequest, PlannedWrite } from './types.ts';

export type TargetFacts = { readonly writable: boolean; readonly protected: boolean };

/** Asks the server what a judged act would do, by a dry run of each of its writes. */
export async function previewAct(
  { act, target }: ActRequest,
  { digest, context, plan, forbidden }: Judged,
  { writable, protected: isProtected }: TargetFacts,
  signal: AbortSignal,
): Promise<ActPreview> {
  const dry = await dryRuns(context, plan.writes, signal);
  const owners = await ownersOf(context, changedPaths(dry.changes));
  const reason =
    plan.refusal ??
    (writable
      ? undefined
      : `${target} is read-only: name it in CONSOLE_WRITABLE_TARGETS to change anything in it.`) ??
    forbidden ??
    dry.refusal;
  return {
    digest,
    sentence: plan.sentence,
    class: plan.class ?? definitionOf(act).class,
    allowed: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    resource_version: revisionOf(context.object),
    judged_by: dry.judgedBy,
    diff: dry.changes,
    owners,
    effects: [...plan.effects],
    warnings: [...plan.warnings, ...(await budgetWarnings(context, plan.writes)), ...dry.warnings],
    ...(plan.undo === undefined ? {} : { undo: plan.undo }),
    protected: isProtected,
  };
}

type DryRuns = {
  readonly changes: ActChange[];
  readonly warnings: string[];
  readonly refusal: string | undefined;
  readonly judgedBy: ActPreview['judged_by'];
};

/** Writes of one act that are tried out, at most: of a drain the first pods stand for all. */
const mostTried = 40;

async function dryRuns(
  context: ActContext,
  writes: readonly PlannedWrite[],
  signal: AbortSignal,
): Promise<DryRuns> {
  const changes: ActChange[] = [];
  const warnings = new Set<string>();
  let refusal: string | undefined;
  let judgedBy: DryRuns['judgedBy'] = writes.length === 0 ? 'console' : 'server';
  for (const write of writes.slice(0, mostTried)) {
    const result = await context.access.dryRun(write, signal);
    if (result.state === 'done') {
      for (const warning of result.warnings) warnings.add(warning);
      changes.push(...changesOf(context, write, result.object));
      continue;
    }
    changes.push(...changesOf(context, write, undefined));
    if (write.patient === true && result.state === 'blocked') {
      warnings.add(`${write.part ?? objectLabelOf(write)}: ${result.reason}`);
      continue;
    }
    judgedBy = 'console';
    if (result.state === 'read_only') continue;
    refusal ??= result.state === 'conflict' ? 'It changed just now: preview it again.' : result.reason;
  }
  return { changes, warnings: [...warnings], refusal, judgedBy };
}

/** Changes by one write: as the server answered, or as far as the console can tell without an answer. */
function changesOf(context: ActContext, write: PlannedWrite, answer: RawObject | undefined): ActChange[] {
  const { object } = context;
  const isSame = write.name === textAt(object, 'metadata', 'name') && write.kind.kind === context.kind.kind;
  if (write.verb === 'delete' || write.subresource === 'eviction')
    return [{ path: objectLabelOf(write), before: 'exists', after: 'deleted' }];
  if (write.verb === 'create')
    return diffOf(undefined, answer ?? (isJsonObject(write.body) ? write.body : undefined)).map((change) =>
      change.path === '' ? { ...change, path: objectLabelOf(write) } : change,
    );
  if (!isSame) return [];
  if (write.subresource === 'scale')
    return diffOf(
      { spec: { replicas: objectAt(object, 'spec').replicas ?? 1 } },
      { spec: { replicas: objectAt(answer ?? write.body, 'spec').replicas } },
    );
  if (answer !== undefined) return diffOf(object, answer);
  const { evidence } = write;
  return evidence.shows === 'fields' ? diffOf(object, merged(object, evidence.fields)) : [];
}

/** RFC 7386, for what was not sent to the server. */
function merged(into: RawObject, patch: RawObject): RawObject {
  const result: Record<string, unknown> = { ...into };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) delete result[name];
    else result[name] = isJsonObject(value) ? merged(isJsonObject(old) ? old : {}, value) : value;
  }
  return result;
}

function objectLabelOf({ kind, namespace, name = '', body }: PlannedWrite): string {
  const named = name === '' ? textAt(body, 'metadata', 'name') : name;
  return objectLabel({ kind: kind.kind, namespace: kind.namespaced ? namespace : undefined, name: named });
}

/** Says where a deletion passes by a disruption budget that an eviction would respect, or pods become fewer than one asks for. */
async function budgetWarnings(
  { access, address, object }: ActContext,
  writes: readonly PlannedWrite[],
): Promise<string[]> {
  const isDeletion = writes.some(({ verb }) => verb === 'delete');
  const isScale = writes.some(({ subresource }) => subresource === 'scale');
  if (!(isDeletion || isScale) || address.namespace === undefined) return [];
  const found = await access.kindOf({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' });
  if (found.state !== 'read') return [];
  const listed = await access.list(found.kind, { namespace: address.namespace });
  if (listed.state !== 'read') return [];
  const labels = isDeletion
    ? objectAt(object, 'metadata', 'labels')
    : objectAt(object, 'spec', 'template', 'metadata', 'labels');
  return listed.items
    .filter((budget) => selects(objectAt(budget, 'spec', 'selector'), labels))
    .flatMap((budget) => {
      const name = textAt(budget, 'metadata', 'name');
      const allowed = Number(objectAt(budget, 'status').disruptionsAllowed ?? 0);
      if (isDeletion)
        return allowed > 0
          ? []
          : [`PodDisruptionBudget ${name} allows no disruption now, and a deletion does not ask it.`];
      return [`PodDisruptionBudget ${name} covers these pods; scaling does not ask it.`];
    });
}
