import type { Named, RawObject, Resource } from '../../../cluster-model/kinds/index.ts';
import type { PatchRequest, PatchResult } from '../types.ts';
import type { Connection } from './connection.ts';
import { actOf, type Discovery, objectPath } from './discovery.ts';
import { ClusterFailure, type FailureKind, networkFailure } from './failures.ts';
import { rawObject } from './raw-object.ts';

const outcomes: Readonly<Partial<Record<FailureKind, Exclude<PatchResult['state'], 'done'>>>> = {
  conflict: 'conflict',
  missing: 'missing',
  not_served: 'missing',
  forbidden: 'forbidden',
  refused: 'refused',
};

/** Sends a JSON merge patch (RFC 7386). Sends nothing to a target that is not writable. */
export async function patchObject(
  connection: Connection,
  discovery: Discovery,
  writable: boolean,
  resource: Resource<Named>,
  { name, namespace, patch, resourceVersion }: PatchRequest,
): Promise<PatchResult> {
  if (!writable)
    return {
      state: 'read_only',
      reason: 'This target is read-only: name it in CONSOLE_WRITABLE_TARGETS to change anything in it.',
    };
  try {
    const { metadata } = patch;
    const body = {
      ...patch,
      ...(resourceVersion === undefined
        ? {}
        : { metadata: { ...(typeof metadata === 'object' ? metadata : {}), resourceVersion } }),
    };
    const answer = await connection.json({
      path: objectPath(await discovery.pathOf(resource, namespace), name),
      act: actOf('patch', resource, namespace, name),
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: JSON.stringify(body),
    });
    const object: RawObject | undefined = rawObject(answer);
    if (object === undefined)
      throw new ClusterFailure('unreachable', 'The answer to the patch is no object.');
    return { state: 'done', object };
  } catch (error) {
    const { kind, message } = networkFailure(error, connection.host());
    return { state: outcomes[kind] ?? 'unavailable', reason: message };
  }
}
