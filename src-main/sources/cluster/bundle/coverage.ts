import type { ListingState } from '../../../cluster-model/kinds/index.ts';
import type { Layout } from './layouts/index.ts';
import { kindKey } from './objects/kind-key.ts';

/** Coverage of a kind by a bundle. */
export type Covered = {
  readonly state: ListingState;
  readonly gaps: readonly string[];
  /** Namespaces of which all was collected, where not all of the kind was. */
  readonly readIn?: readonly string[];
};

type KindCoverage = {
  /** All of it in one list, whatever its namespaces. */
  whole: boolean;
  /** Single objects, which say nothing of others. */
  singles: boolean;
  readonly namespaces: Set<string>;
  /** The reason it was not collected, by namespace; an empty key for all of it. */
  readonly failures: Map<string, string>;
  /** Parts of it that could not be parsed, a sentence each. */
  readonly problems: string[];
};

/**
 * Tracks which parts of the cluster a bundle holds, and why not the rest: collected, collected and empty, or
 * not collected.
 */
export type Coverage = {
  collected(key: string, namespace: string | undefined, form: 'list' | 'single'): void;
  failed(key: string, namespace: string, reason: string): void;
  notUnderstood(key: string, sentence: string): void;
  /** A namespace that the cluster has, whether or not anything of it was collected. */
  namespace(name: string): void;
  /** Kinds the API served, as its discovery says. */
  served(keys: Iterable<string>): void;
  servedGroups(groups: Iterable<string>): void;
  /** A kind that a CRD defines. */
  customKind(key: string): void;
  /** Custom resources were collected, and only such files written that hold any. */
  customResourcesCollected(): void;
  /** Records the outcome of our own capture's read of a kind, which overrides everything else. */
  captured(key: string, covered: Covered): void;
  isCaptured(key: string): boolean;
  of(kind: { readonly group: string; readonly plural: string; readonly namespaced: boolean }): Covered;
  ofNamespace(
    kind: { readonly group: string; readonly plural: string; readonly namespaced: boolean },
    namespace: string,
  ): Covered;
};

/** As many names as a sentence holds before it says how many more there are. */
const mostNames = 5;

export function createCoverage(scope: Layout['scope']): Coverage {
  const kinds = new Map<string, KindCoverage>();
  const captured = new Map<string, Covered>();
  const namespaces = new Set<string>();
  const servedKeys = new Set<string>();
  const servedGroups = new Set<string>();
  const customKinds = new Set<string>();
  let servesCore = false;
  let servesGroups = false;
  let hasCustomResources = false;

  const kindOf = (key: string): KindCoverage => {
    const known = kinds.get(key) ?? {
      whole: false,
      singles: false,
      namespaces: new Set(),
      failures: new Map(),
      problems: [],
    };
    kinds.set(key, known);
    return known;
  };

  /** The core group's discovery is a document of its own: each says only what it was read for. */
  const isServed = (group: string, key: string): boolean =>
    (!(group === '' ? servesCore : servesGroups) || servedKeys.has(key)) &&
    (servedGroups.size === 0 || servedGroups.has(group));
  const isSparse = (key: string): boolean => hasCustomResources && customKinds.has(key);

  /** Returns the coverage of a kind for which no file was collected. */
  const notCollected = (group: string, key: string): Covered => {
    if (!isServed(group, key)) return { state: 'not_served', gaps: [] };
    const known = kinds.get(key);
    const reasons = known === undefined ? [] : [...failureSentences(key, known), ...known.problems];
    if (reasons.length === 0 && isSparse(key)) return { state: 'read', gaps: [] };
    return {
      state: 'not_collected',
      gaps: reasons.length > 0 ? reasons : [`Not collected: the bundle holds no ${key}.`],
    };
  };

  const hasAny = (known: KindCoverage | undefined): known is KindCoverage =>
    known !== undefined && (known.whole || known.singles || known.namespaces.size > 0);

  return {
    collected(key, namespace, form) {
      const kind = kindOf(key);
      if (namespace !== undefined) kind.namespaces.add(namespace);
      else if (form === 'list') kind.whole = true;
      if (form === 'single') kind.singles = true;
    },
    failed: (key, namespace, reason) => void kindOf(key).failures.set(namespace, reason),
    notUnderstood: (key, sentence) => void kindOf(key).problems.push(sentence),
    namespace: (name) => void namespaces.add(name),
    served(keys) {
      for (const key of keys) {
        servedKeys.add(key);
        if (key.includes('.')) servesGroups = true;
        else servesCore = true;
      }
    },
    servedGroups(groups) {
      for (const group of groups) servedGroups.add(group);
    },
    customKind: (key) => void customKinds.add(key),
    customResourcesCollected() {
      hasCustomResources = true;
    },
    captured: (key, covered) => void captured.set(key, covered),
    isCaptured: (key) => captured.has(key),

    of({ group, plural, namespaced }) {
      const key = kindKey(group, plural);
      const own = captured.get(key);
      if (own !== undefined) return own;
      const known = kinds.get(key);
      if (!hasAny(known)) return notCollected(group, key);
      const gaps = [...failureSentences(key, known), ...known.problems];
      if (scope === 'unknown') {
        gaps.push(`The bundle is output of kubectl: it may hold only some of the cluster's ${key}.`);
      } else if ((namespaced || key === 'namespaces') && !known.whole) {
        if (scope === 'some-namespaces') {
          gaps.push(
            `The bundle holds only some namespaces (${joined([...namespaces].sort())}): of others it says nothing.`,
          );
        }
        if (scope === 'namespaces' && !hasAny(kinds.get('namespaces')))
          gaps.push(
            'The bundle does not say which namespaces the cluster has: there may be more than it holds.',
          );
        const missing = [...namespaces].filter(
          (name) => namespaced && !known.namespaces.has(name) && !known.failures.has(name),
        );
        if (missing.length > 0 && !known.failures.has('') && !isSparse(key))
          gaps.push(`Not collected: ${key} in ${joined(missing.sort())}.`);
      }
      if (gaps.length === 0) return { state: 'read', gaps };
      const isKnown = namespaced && scope !== 'unknown' && known.problems.length === 0;
      return { state: 'partly', gaps, ...(isKnown ? { readIn: [...known.namespaces] } : {}) };
    },

    ofNamespace(kind, namespace) {
      const key = kindKey(kind.group, kind.plural);
      const known = kinds.get(key);
      if (captured.has(key) || !kind.namespaced || !hasAny(known) || known.whole || scope === 'unknown')
        return this.of(kind);
      const failure = known.failures.get(namespace) ?? known.failures.get('');
      const isEmpty = isSparse(key) && namespaces.has(namespace) && failure === undefined;
      if (known.namespaces.has(namespace) || isEmpty)
        return { state: known.problems.length > 0 ? 'partly' : 'read', gaps: known.problems };
      return {
        state: 'not_collected',
        gaps: [
          failure === undefined
            ? `Not collected: the bundle holds no ${key} of ${namespace}.`
            : failureSentence(key, namespace, failure),
        ],
      };
    },
  };
}

function failureSentences(key: string, { failures }: KindCoverage): string[] {
  return [...failures].map(([namespace, reason]) => failureSentence(key, namespace, reason));
}

function failureSentence(key: string, namespace: string, reason: string): string {
  const suffix = namespace === '' ? '' : ` in ${namespace}`;
  return `Not collected: ${key}${suffix}: ${reason.replace(/\.$/, '')}.`;
}

/** `a, b, c, d, e and 3 more`. */
function joined(names: readonly string[]): string {
  const more = names.length - mostNames;
  return more <= 0 ? names.join(', ') : `${names.slice(0, mostNames).join(', ')} and ${more} more`;
}
