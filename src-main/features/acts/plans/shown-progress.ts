import { listAt, numberAt, objectAt, textAt } from '../../../base/json-fields.ts';
import type { ObjectAccess } from '../../../sources/cluster/index.ts';
import { findOut } from '../find-out.ts';
import type { ActContext, Evidence, Progress } from '../types.ts';
import { uidOf } from './identity.ts';

/** Reads whether an object has its new values, for acts that take effect with them. */
export function shownProgress(evidence: Evidence) {
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    const found = await findOut(access, evidence);
    if (found.state === 'unknown') return undefined;
    return found.state === 'done'
      ? { state: 'done', sentence: found.sentence }
      : { state: 'under_way', sentence: found.sentence };
  };
}

/** Reads whether the operator of a custom resource took its spec up: by the generation it observed and its condition Ready. */
export function operatorProgress({ kind, object, address }: ActContext) {
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    const read = await access.read(kind, address.name, address.namespace);
    if (read.state === 'unread') return undefined;
    if (read.state === 'missing' || uidOf(read.object) !== uidOf(object))
      return { state: 'gone', sentence: 'It was deleted meanwhile.' };
    const status = objectAt(read.object, 'status');
    const ready = listAt(status, 'conditions').find(({ type }) => type === 'Ready');
    const told = ready === undefined ? '' : textAt(ready, 'message') || textAt(ready, 'reason');
    const observed = status.observedGeneration;
    if (typeof observed === 'number' && observed < numberAt(read.object, 'metadata', 'generation'))
      return { state: 'under_way', sentence: 'Waiting for its operator.' };
    return ready === undefined || ready.status === 'True'
      ? { state: 'done', sentence: told === '' ? `${kind.kind} ${address.name} has the new values.` : told }
      : { state: 'under_way', sentence: told };
  };
}
