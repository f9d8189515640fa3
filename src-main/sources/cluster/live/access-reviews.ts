import { z } from 'zod';
import type { AccessRequest } from '../types.ts';
import type { Connection } from './connection.ts';

/** Time an answer is good for, in milliseconds: rights change seldom, and an act is refused by the server itself. */
const fresh = 60_000;
/** Answers that are kept; the oldest goes first. */
const most = 1_000;

/** SelfSubjectAccessReview (authorization.k8s.io/v1). */
const review = z.object({ status: z.object({ allowed: z.boolean() }) });

/** What the console's own identity may do in a cluster, as the cluster says. */
export type AccessReviews = {
  /** Undefined where the cluster did not say. */
  may(access: AccessRequest): Promise<boolean | undefined>;
  /** As `may`, never from an earlier answer. */
  mayNow(access: AccessRequest): Promise<boolean | undefined>;
  forget(): void;
};

/** Creates the access reviews of one connection. `within`: milliseconds an answer is waited for. */
export function createAccessReviews(
  connection: Connection,
  now: () => number,
  within: number,
): AccessReviews {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<boolean | undefined> }>();

  const askedNow = async (access: AccessRequest): Promise<boolean | undefined> => {
    try {
      const answer = await connection.json({
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        method: 'POST',
        body: JSON.stringify({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: access },
        }),
        act: `review whether it may ${access.verb} ${access.resource}`,
        signal: AbortSignal.timeout(within),
      });
      return review.parse(answer).status.allowed;
    } catch {
      // Not a reason to hide the act: the server refuses it by itself.
      return undefined;
    }
  };
  const asked = (access: AccessRequest): Promise<boolean | undefined> => {
    const { verb, group, resource, subresource = '', namespace = '', name = '' } = access;
    const key = [verb, group, resource, subresource, namespace, name].join('\n');
    const known = kept.get(key);
    if (known !== undefined && now() - known.at < fresh) return known.answer;
    const answer = askedNow(access);
    kept.delete(key);
    kept.set(key, { at: now(), answer });
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return answer;
  };

  return {
    async may({ name, ...kind }) {
      const everyOne = await asked(kind);
      // A right may name single objects.
      return everyOne === false && name !== undefined ? asked({ ...kind, name }) : everyOne;
    },
    mayNow: askedNow,
    forget: () => kept.clear(),
  };
}
