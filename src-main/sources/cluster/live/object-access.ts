import { z } from 'zod';
import type { RawObject } from '../../../cluster-model/kinds/index.ts';
import type { ObjectAccess, ObjectRead, ObjectWrite, ServedKind, WriteResult } from '../types.ts';
import type { AccessReviews } from './access-reviews.ts';
import { type Connection, readText } from './connection.ts';
import { actOf, objectPath } from './discovery.ts';
import { ClusterFailure, networkFailure, oneLine } from './failures.ts';
import { rawObject } from './raw-object.ts';

export type ObjectAccessParts = {
  readonly connection: Connection;
  readonly reviews: AccessReviews;
  /** Returns whether the target may be written; asked at every write. */
  readonly writable: () => boolean;
  readonly contact: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Name under which the API server remembers who set a field. */
const fieldManager = 'operator-console';
/** Bytes of an answer to a write: an object as large as etcd takes, with its managed fields. */
const largestAnswer = 8 * 1024 * 1024;
/** Milliseconds for which the kinds of a group version are known. */
const kindsHold = 30_000;
/** Milliseconds after which a write counts as unanswered. */
const answerWithin = 35_000;

const kindList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});
const objectList = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  items: z.array(z.record(z.string(), z.unknown())),
  metadata: z.object({ continue: z.string().optional() }).optional(),
});
const status = z.object({
  kind: z.literal('Status'),
  message: z.string().optional(),
  reason: z.string().optional(),
});

const readOnly: WriteResult = {
  state: 'read_only',
  reason: 'This target is read-only: name it in CONSOLE_WRITABLE_TARGETS to change anything in it.',
};

/** Creates the access to objects of any kind over one connection. */
export function createObjectAccess(parts: ObjectAccessParts): ObjectAccess {
  const { connection, reviews, now } = parts;
  const known = new Map<string, { readonly at: number; readonly kinds: readonly ServedKind[] }>();

  const kindsOf = async (group: string, version: string): Promise<readonly ServedKind[]> => {
    const path = groupPath(group, version);
    const kept = known.get(path);
    if (kept !== undefined && now() - kept.at < kindsHold) return kept.kinds;
    const answer = kindList.safeParse(await connection.json({ path, act: `list the kinds of ${path}` }));
    if (!answer.success)
      throw new ClusterFailure(
        'refused',
        `${connection.host()} answers discovery in a way that is not understood.`,
      );
    const { resources } = answer.data;
    const kinds = resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced }) => ({
        group,
        version,
        kind,
        plural: name,
        namespaced,
        subresources: resources
          .filter((each) => each.name.startsWith(`${name}/`))
          .map((each) => each.name.slice(name.length + 1)),
      }));
    known.set(path, { at: now(), kinds });
    return kinds;
  };

  const send = async (write: ObjectWrite, dry: boolean, signal?: AbortSignal): Promise<WriteResult> => {
    parts.contact();
    if (!parts.writable()) return readOnly;
    const { kind, namespace, name, subresource, verb, body } = write;
    const collection = collectionPath(kind, namespace);
    const path = `${name === undefined ? collection : objectPath(collection, name)}${subresource === undefined ? '' : `/${subresource}`}`;
    const query = `${dry ? 'dryRun=All&' : ''}fieldManager=${fieldManager}`;
    const act = actOf(verb.replace('_', ' '), kind, namespace, name);
    try {
      const answer = await connection.send({
        path: `${path}?${query}`,
        act,
        ...methods[verb],
        body: JSON.stringify(verb === 'delete' && dry ? { ...asObject(body), dryRun: ['All'] } : body),
        signal: AbortSignal.any([
          AbortSignal.timeout(answerWithin),
          ...(signal === undefined ? [] : [signal]),
        ]),
        throttled: 'returned',
      });
      const text = await readText(answer.body, largestAnswer);
      if (answer.status >= 200 && answer.status < 300) {
        const object = parsed(text);
        if (object === undefined) return { state: 'lost', reason: `The answer is no object: ${act}.` };
        return { state: 'done', object, warnings: warningsOf(answer.header('warning')) };
      }
      return refusal(answer.status, text, connection.host());
    } catch (error) {
      const failure = networkFailure(error, connection.host());
      // Credentials and addresses are checked before anything is sent.
      const unsent = failure.kind === 'sign_in' || failure.kind === 'broken' || failure.kind === 'refused';
      return { state: unsent ? 'refused' : 'lost', reason: failure.message };
    }
  };

  return {
    async kindOf({ group, version, kind }) {
      parts.contact();
      try {
        const found = (await kindsOf(group, version)).find((each) => each.kind === kind);
        return found === undefined
          ? {
              state: 'missing',
              reason: `The cluster does not have ${kind} of ${group || 'core'}/${version}.`,
            }
          : { state: 'read', kind: found };
      } catch (error) {
        const { kind: failure, message } = networkFailure(error, connection.host());
        return failure === 'missing'
          ? {
              state: 'missing',
              reason: `The cluster does not have ${kind} of ${group || 'core'}/${version}.`,
            }
          : { state: 'unread', reason: message };
      }
    },
    async read(kind, name, namespace): Promise<ObjectRead> {
      parts.contact();
      const act = actOf('get', kind, namespace, name);
      try {
        const path = objectPath(collectionPath(kind, namespace), name);
        const object = rawObject(await connection.json({ path, act }));
        if (object === undefined) return { state: 'unread', reason: `The answer is no object: ${act}.` };
        return { state: 'read', object, readAt: now() };
      } catch (error) {
        const failure = networkFailure(error, connection.host());
        return failure.kind === 'missing'
          ? {
              state: 'missing',
              reason: `There is no ${kind.kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}.`,
            }
          : { state: 'unread', reason: failure.message };
      }
    },
    async list(kind, { namespace, labels, fields } = {}) {
      parts.contact();
      const items: RawObject[] = [];
      try {
        for (let next: string | undefined = ''; next !== undefined; ) {
          const query = new URLSearchParams({
            limit: '500',
            ...(labels === undefined ? {} : { labelSelector: labels }),
            ...(fields === undefined ? {} : { fieldSelector: fields }),
            ...(next === '' ? {} : { continue: next }),
          });
          const path = `${collectionPath(kind, namespace)}?${query}`;
          const page = objectList.parse(await connection.json({ path, act: actOf('list', kind, namespace) }));
          // Elements of a list carry neither.
          const kindName = page.kind.replace(/List$/, '');
          items.push(...page.items.map((item) => ({ apiVersion: page.apiVersion, kind: kindName, ...item })));
          next = page.metadata?.continue === '' ? undefined : page.metadata?.continue;
        }
        return { state: 'read', items };
      } catch (error) {
        return { state: 'unread', reason: networkFailure(error, connection.host()).message };
      }
    },
    dryRun: (write, signal) => send(write, true, signal),
    write: (write) => send(write, false),
    mayNow(access) {
      parts.contact();
      return reviews.mayNow(access);
    },
  };
}

const methods = {
  create: { method: 'POST', contentType: 'application/json' },
  merge_patch: { method: 'PATCH', contentType: 'application/merge-patch+json' },
  json_patch: { method: 'PATCH', contentType: 'application/json-patch+json' },
  update: { method: 'PUT', contentType: 'application/json' },
  delete: { method: 'DELETE', contentType: 'application/json' },
} as const;

function groupPath(group: string, version: string): string {
  const encoded = encodeURIComponent(version);
  return group === '' ? `/api/${encoded}` : `/apis/${encodeURIComponent(group)}/${encoded}`;
}

function collectionPath({ group, version, plural, namespaced }: ServedKind, namespace: string | undefined) {
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupPath(group, version)}${within}/${plural}`;
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}

/** A deleted or evicted object is answered as a Status, which is an object as well. */
function parsed(text: string): RawObject | undefined {
  try {
    return rawObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads the texts of `Warning: 299 - "text"` headers (RFC 7234, section 5.5). */
function warningsOf(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    oneLine(text.replace(/\\(.)/g, '$1'), 500),
  );
}

/** Explains an answer that is an error, with the message of the server or the webhook that refused. */
function refusal(code: number, body: string, host: string): WriteResult {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  const { message } = status.safeParse(value).data ?? {};
  const reason = message === undefined ? `${host} answered ${code}.` : oneLine(message, 500);
  switch (code) {
    case 403:
      return { state: 'forbidden', reason };
    case 404:
    case 405:
      return { state: 'missing', reason };
    case 409:
      return { state: 'conflict', reason };
    case 429:
      return { state: 'blocked', reason };
    default:
      return { state: code >= 500 ? 'lost' : 'refused', reason };
  }
}
