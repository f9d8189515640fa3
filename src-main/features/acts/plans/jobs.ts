import { createHash } from 'node:crypto';
import { listAt, objectAt, textAt, valueAt } from '../../../base/json-fields.ts';
import type { ObjectAccess } from '../../../sources/cluster/index.ts';
import type { ActContext, Evidence, Plan, Planner, Progress } from '../types.ts';
import { fieldsShown, objectLabel, patchOf, uidOf } from './identity.ts';
import { rolloutProgress } from './rollout-progress.ts';
import { shownProgress } from './shown-progress.ts';

/** Longest name of a Job, so that its pods can be named after it (RFC 1123 labels). */
const longestName = 63;

/** Makes a Job of a CronJob's template, as `kubectl create job --from` does. Its name is the same for the same key. */
export const planRunCronJob: Planner<object> = async (context): Promise<Plan> => {
  const { access, object, address, key } = context;
  const { namespace } = address;
  const sentence = `Run ${objectLabel(address)} now.`;
  const none = { sentence, writes: [], effects: [], warnings: [], progress: async () => undefined };
  const found = await access.kindOf({ group: 'batch', version: 'v1', kind: 'Job' });
  if (found.state !== 'read') return { ...none, refusal: found.reason };
  const template = objectAt(object, 'spec', 'jobTemplate');
  const end = `-now-${createHash('sha256')
    .update(`${uidOf(object)}\n${key}`)
    .digest('hex')
    .slice(0, 8)}`;
  const name = `${address.name.slice(0, longestName - end.length)}${end}`;
  const evidence: Evidence = { kind: found.kind, namespace, name, shows: 'exists' };
  const active = listAt(object, 'status', 'active').length;
  const policy = textAt(object, 'spec', 'concurrencyPolicy') || 'Allow';
  return {
    sentence,
    writes: [
      {
        kind: found.kind,
        namespace,
        verb: 'create',
        body: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: {
            name,
            namespace,
            labels: objectAt(template, 'metadata', 'labels'),
            annotations: {
              ...objectAt(template, 'metadata', 'annotations'),
              'cronjob.kubernetes.io/instantiate': 'manual',
            },
            ownerReferences: [
              {
                apiVersion: textAt(object, 'apiVersion'),
                kind: 'CronJob',
                name: address.name,
                uid: uidOf(object),
                controller: true,
              },
            ],
          },
          spec: template.spec,
        },
        evidence,
      },
    ],
    effects: ['One Job starts beside the schedule, which stays as it is.'],
    warnings:
      active === 0
        ? []
        : [
            `${active} ${active === 1 ? 'run is' : 'runs are'} active${policy === 'Allow' ? '' : `: a run by hand does not ask the concurrency policy ${policy}`}.`,
          ],
    progress: jobProgress(evidence),
  };
};

/** A Job took effect when its pod runs, or it ended. */
function jobProgress({ kind, name, namespace }: Evidence) {
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    const read = await access.read(kind, name, namespace);
    if (read.state === 'unread') return undefined;
    if (read.state === 'missing') return { state: 'gone', sentence: `Job ${name} was deleted meanwhile.` };
    const status = objectAt(read.object, 'status');
    const ended = listAt(status, 'conditions').find(
      ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
    );
    if (ended?.type === 'Complete') return { state: 'done', sentence: `Job ${name} is complete.` };
    if (ended !== undefined)
      return {
        state: 'done',
        sentence: `Job ${name} ran and failed: ${textAt(ended, 'message') || textAt(ended, 'reason')}`,
      };
    if (Number(status.active ?? 0) > 0) return { state: 'done', sentence: `Job ${name} is running.` };
    return { state: 'under_way', sentence: `Job ${name} has not started yet.` };
  };
}

/** Suspends what runs by a schedule or a controller: CronJobs, Jobs, Flux; the rollout of a Deployment. */
export const planSuspend: Planner<object> = async (context) => suspension(context, true);
/** Resumes it. */
export const planResume: Planner<object> = async (context) => suspension(context, false);

function suspension(context: ActContext, suspend: boolean): Plan {
  const { object, address } = context;
  const isRollout = address.kind === 'Deployment';
  const field = isRollout ? 'paused' : 'suspend';
  const is = valueAt(object, 'spec', field) === true;
  // The field of a Deployment is gone when it is false.
  const fields = { spec: { [field]: suspend ? true : isRollout ? null : false } };
  const what = isRollout ? `the rollout of ${objectLabel(address)}` : objectLabel(address);
  return {
    sentence: `${suspend ? 'Suspend' : 'Resume'} ${what}.`,
    ...(is === suspend ? { refusal: suspend ? 'It is suspended already.' : 'It is not suspended.' } : {}),
    writes: is === suspend ? [] : [patchOf(context, fields)],
    effects: [effectOf(address.kind, suspend)],
    warnings: [],
    undo: {
      act: suspend ? 'resume' : 'suspend',
      object: address,
      args: {},
      sentence: suspend ? 'Resume it.' : 'Suspend it again.',
    },
    progress: isRollout && !suspend ? rolloutProgress(context) : shownProgress(fieldsShown(context, fields)),
  };
}

function effectOf(kind: string, suspend: boolean): string {
  switch (kind) {
    case 'CronJob':
      return suspend
        ? 'It starts no more Jobs; those that run go on.'
        : 'It starts Jobs by its schedule again.';
    case 'Job':
      return suspend ? 'Its running pods are stopped.' : 'Its pods are started.';
    case 'Deployment':
      return suspend
        ? 'Changes of its template are not rolled out until it is resumed.'
        : 'Changes that were made meanwhile are rolled out.';
    default:
      return suspend ? 'It reconciles no more: drift stays.' : 'It reconciles again, and sets drift back.';
  }
}
