import type { ObjectRef } from '#shared/api/cluster.ts';
import { atOnce } from '#shared/steps.ts';
import { keyOf } from '../../../cluster-model/index.ts';
import type { LineHit } from '../../../log-scan/index.ts';
import type { LogOwner, TextFacts } from '../../../sources/cluster/text/index.ts';
import { errorHitsOfLines, withoutPrecise } from '../errors/error-hits.ts';
import type { LogState } from '../errors/time-order.ts';
import type { Reading } from '../evidence/reading.ts';
import { hitsInText, type LogRules } from '../logs/log-rules.ts';
import type { EventSeen, Origin } from '../logs/seen.ts';
import { type Hit, matchAll } from '../match/index.ts';
import type { Rules } from '../rules.ts';

/** Name of a pasted text in evidence. */
export const textRef = 'pasted text';

export type ScannedLines = { readonly hits: readonly LineHit[]; readonly counts: readonly number[] };

/**
 * Returns the matches in the lines of a text that are of no object, and in messages of events about nothing that is named.
 * Lines below a typed `kubectl logs` are of that pod; others are of the only workload of the text that does not do well, if
 * there is one. Clauses of every part of the platform count: who wrote a line is not known.
 */
export function hitsInLines(
  reading: Reading | undefined,
  { rules, logRules }: { readonly rules: Rules; readonly logRules: LogRules },
  { hits, counts }: ScannedLines,
  { logs, events, lines }: Pick<TextFacts, 'logs' | 'events' | 'lines'>,
): Hit[] {
  const others = reading === undefined ? {} : onlyTroubled(reading);
  const originOf = (line: number): Pick<Origin, 'object' | 'owner' | 'container'> => {
    const log = logs.findLast(({ from }) => from <= line);
    return log === undefined || log.pod === '' ? others : ofLog(reading, log);
  };
  const groups = new Map<
    string,
    { readonly origin: ReturnType<typeof originOf>; readonly hits: LineHit[] }
  >();
  for (const hit of hits) {
    const origin = originOf(hit.line);
    const key = `${origin.object === undefined ? '' : keyOf(origin.object)} ${origin.container ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { origin, hits: [hit] });
    else group.hits.push(hit);
  }
  const found = [...groups.values()].flatMap(({ origin, hits: own }) =>
    hitsInText(
      logRules,
      // How often all of the text has a literal says nothing of a part of it.
      { hits: own, counts: groups.size > 1 ? [] : counts },
      { kind: 'text', part: 'any', failing: undefined, origin: { ...origin, ref: textRef }, lines: true },
    ),
  );
  const byLiteral = new Map(logRules.errors.literals.map((literal, index) => [literal, index]));
  const errors = [...groups.values()].flatMap(({ origin, hits: own }) =>
    errorHitsOfLines(
      logRules.errors,
      rules,
      own.flatMap((hit) => {
        const literal = byLiteral.get(logRules.textLiterals[hit.literal] ?? '');
        return literal === undefined ? [] : [{ ...hit, literal }];
      }),
      {
        kind: 'text',
        state: stateOf(reading, origin),
        origin: { ...origin, ref: textRef },
        lines: true,
        count: lines,
      },
    ),
  );
  const loose = events.flatMap(({ reason, message, line }) => {
    const seen: EventSeen = {
      ...originOf(line),
      kind: 'event',
      ref: textRef,
      reason,
      about: undefined,
      message,
    };
    return atOnce(matchAll(rules, [seen])).map((hit): Hit => ({ ...hit, kind: 'text', line }));
  });
  return withoutPrecise([...found, ...errors, ...loose]);
}

/** State of the container whose lines these are, as far as the text shows it. */
function stateOf(reading: Reading | undefined, { object }: Pick<Origin, 'object'>): LogState {
  const state = object && reading?.podOf(object)?.verdict.state;
  return state === 'healthy' || state === 'idle' ? 'ready' : 'unknown';
}

function ofLog(
  reading: Reading | undefined,
  { pod, namespace, container }: LogOwner,
): Pick<Origin, 'object' | 'owner' | 'container'> {
  const known = reading?.running.pods.find(
    ({ pod: { metadata } }) =>
      metadata.name === pod && (namespace === undefined || metadata.namespace === namespace),
  );
  const space = namespace ?? known?.pod.metadata.namespace;
  const object = { kind: 'Pod', name: pod, ...(space === undefined ? {} : { namespace: space }) };
  return { object, owner: reading?.ownerOf(object) ?? object, container };
}

function onlyTroubled({ running }: Reading): Pick<Origin, 'object' | 'owner'> {
  const troubled = new Map<string, { readonly object: ObjectRef; readonly owner: ObjectRef }>();
  for (const { pod, verdict, owner } of running.pods) {
    if (verdict.state !== 'failing' && verdict.state !== 'degraded') continue;
    const { name, namespace } = pod.metadata;
    const object = { kind: 'Pod', name, ...(namespace === undefined ? {} : { namespace }) };
    const own = owner === undefined || owner.kind === 'Node' ? object : owner;
    if (!troubled.has(keyOf(own))) troubled.set(keyOf(own), { object, owner: own });
  }
  const [only] = troubled.values();
  return only !== undefined && troubled.size === 1 ? only : {};
}
