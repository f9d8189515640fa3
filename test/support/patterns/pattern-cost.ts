import { longestTried } from '../../../src-shared/api/symptoms.ts';
import { type CharacterSet, isOne, type PatternPart, readPattern, share, union } from './read-pattern.ts';

/** Steps that one pattern may take on one line: about a tenth of a second, on a line made to be slow. */
export const mostSteps = 20_000_000;

/**
 * At most how many steps a backtracking matcher takes for a pattern on a line of `length` characters. It tries every place
 * that the beginning of the pattern fits, and there every way to share the characters among parts that could take the same
 * ones. Throws, with the end of a sentence, for a repeated group: its ways may grow with a power of the line.
 */
export function stepsOf(source: string, length = longestTried): number {
  const branches = readPattern(source);
  const places = branches.reduce((sum, branch) => sum + placesOf(branch, length), 0);
  return places * measured(branches, { set: none, mayEnd: true, asserted: false }).steps;
}

const none: CharacterSet = { ascii: 0n, others: false };

/**
 * The possible continuation of a part: the characters it may begin with, nothing at all, or an assertion
 * before them.
 */
type Next = { readonly set: CharacterSet; readonly mayEnd: boolean; readonly asserted: boolean };
/** `ways` that a part can match at one place, and the steps of trying them all. */
type Measure = { readonly ways: number; readonly steps: number };

function measured(branches: readonly PatternPart[][], next: Next): Measure {
  return branches.reduce<Measure>(
    (sum, branch) => {
      const { ways, steps } = measuredBranch(branch, next);
      return { ways: sum.ways + ways, steps: sum.steps + steps };
    },
    { ways: 0, steps: 1 },
  );
}

function measuredBranch(parts: readonly PatternPart[], next: Next): Measure {
  let [ways, steps] = [1, 1];
  for (const [index, part] of parts.entries()) {
    const own = measuredPart(part, beginning(parts.slice(index + 1), next));
    steps += ways * own.steps;
    ways *= own.ways;
  }
  return { ways, steps };
}

function measuredPart(part: PatternPart, next: Next): Measure {
  const most = Math.min(part.most, longestTried);
  if (part.kind === 'assertion') return { ways: 1, steps: 1 };
  if (part.kind === 'group') {
    if (most > 1) throw new Error('repeats a group, which is not allowed: write out how often it stands');
    const own = measured(part.branches, next);
    return part.least === 0 ? { ways: own.ways + 1, steps: own.steps + 1 } : own;
  }
  // What follows tells at once where this part ends, or needs nothing: there is one way.
  const isCertain = !next.asserted && (next.mayEnd || !share(part.set, next.set));
  return { ways: part.least === most || isCertain ? 1 : most - part.least + 1, steps: Math.max(1, most) };
}

/** Returns the possible beginnings of the rest of a branch. */
function beginning(parts: readonly PatternPart[], next: Next): Next {
  let set = none;
  let asserted = false;
  for (const part of parts) {
    if (part.kind === 'assertion') {
      asserted = true;
      continue;
    }
    const own: Next =
      part.kind === 'characters'
        ? { set: part.set, mayEnd: false, asserted: false }
        : part.branches
            .map((branch) => beginning(branch, { set: none, mayEnd: true, asserted: false }))
            .reduce((a, b) => ({
              set: union(a.set, b.set),
              mayEnd: a.mayEnd || b.mayEnd,
              asserted: a.asserted || b.asserted,
            }));
    set = union(set, own.set);
    asserted ||= own.asserted;
    if (part.least > 0 && !own.mayEnd) return { set, mayEnd: false, asserted };
  }
  return { set: union(set, next.set), mayEnd: next.mayEnd, asserted: asserted || next.asserted };
}

/** Places of a line that a branch can begin at: one behind `^`, else as often as its first fixed characters fit into it. */
function placesOf(branch: readonly PatternPart[], length: number): number {
  const [first] = branch;
  if (first?.kind === 'assertion' && first.start) return 1;
  return Math.ceil(length / Math.max(1, fixedWidth(branch)));
}

function fixedWidth(branch: readonly PatternPart[]): number {
  let width = 0;
  for (const part of branch) {
    if (part.kind === 'characters') {
      if (!isOne(part.set) || part.least === 0) return width;
      width += part.least;
      if (part.least !== part.most) return width;
    } else if (part.kind === 'group' && part.least === 1) {
      width += Math.min(...part.branches.map(fixedWidth));
      if (part.branches.length > 1) return width;
    } else return width;
  }
  return width;
}
