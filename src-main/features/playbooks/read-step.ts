import { ConsoleError } from '#shared/errors.ts';
import { isRecord } from '../../cluster-model/index.ts';
import { targetNamed } from './act-step.ts';
import { kindNamed } from './check-definition.ts';
import type { ReadSpec } from './definition.ts';
import { readerOf, type StepParts, type Work } from './step-outcome.ts';
import { fill } from './templates.ts';

/** Largest result of a step, in characters of JSON, and most objects of a list that are kept. */
const largestResult = 32_000;
const mostListed = 100;

/** What was read: a value to keep, or why there is none, a sentence. */
export type StepRead = { readonly value: unknown; readonly sentence: string } | { readonly unread: string };

/** Reads one object or a list as a step names it. Values of Secrets are never read into a run. */
export async function readStep(
  spec: ReadSpec,
  { run, scope }: Pick<Work, 'run' | 'scope'>,
  parts: Pick<StepParts, 'targetOf' | 'sandboxTarget'>,
): Promise<StepRead> {
  const { target, kind, namespace, name } = fill(spec, scope) as ReadSpec;
  const resource = kindNamed(kind);
  if (resource === undefined) throw new ConsoleError('BadInput', `The console reads no kind "${kind}".`);
  const { cluster, id } = await parts.targetOf(targetNamed(target, run, parts), readerOf(run));
  const place = id ?? 'the cluster';
  if (name === undefined) {
    const listing = await cluster.list(resource, namespace === undefined ? {} : { namespace });
    if (listing.state !== 'read' && listing.state !== 'not_served')
      return { unread: `${kind} of ${place} could not be read completely: ${listing.gaps.join(' ')}` };
    const items = listing.items.slice(0, mostListed).map((item) => withoutValues(item, kind));
    return bounded(
      { count: listing.items.length, items },
      `${listing.items.length} of the kind ${kind} in ${namespace ?? place}.`,
    );
  }
  const read = await cluster.get(resource, name, namespace);
  if (read.state === 'unread') return { unread: `${kind} ${name} could not be read: ${read.reason}` };
  if (read.state === 'missing') return { value: { exists: false }, sentence: `There is no ${kind} ${name}.` };
  return bounded({ exists: true, ...withoutValues(read.object, kind) }, `${kind} ${name} in ${place}.`);
}

function bounded(value: unknown, sentence: string): StepRead {
  // Written out: fields that are undefined are none.
  const text = JSON.stringify(value);
  return text.length > largestResult
    ? {
        unread: `What was read has ${text.length} characters, of ${largestResult} that a run keeps: read one object, or one namespace.`,
      }
    : { value: JSON.parse(text) as unknown, sentence };
}

/** Returns an object without who manages which field, and without what a Secret or a ConfigMap holds. */
function withoutValues(object: unknown, kind: string): Readonly<Record<string, unknown>> {
  if (!isRecord(object)) return {};
  const { data, stringData: _texts, binaryData: _bytes, ...rest } = object;
  const metadata = isRecord(object.metadata) ? { ...object.metadata } : {};
  delete metadata.managedFields;
  const keys =
    isRecord(data) && (kind === 'Secret' || kind === 'ConfigMap') ? { keys: Object.keys(data) } : {};
  return { ...rest, metadata, ...keys };
}
