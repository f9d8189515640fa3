import { type PageAddress, pageHref } from '#shared/page-address.ts';
import { pageTitles } from '#shared/page-titles.ts';
import { outsideText } from './outside-text.ts';
import type { Asker, Citation, Row, ToolAnswer } from './tool.ts';

/** Lines of an answer that are written out; the page has the others. */
const mostRows = 12;
/** Items of a result. */
const mostItems = 100;

type Page = PageAddress & { readonly tab: keyof typeof pageTitles };

/** Address of a page, on the target that was read. */
export function placeIn(page: PageAddress, { target }: Pick<Asker, 'target'>): string {
  return pageHref(target === undefined ? page : { ...page, target });
}

type Answered = {
  readonly head: string;
  readonly rows?: readonly Row[];
  readonly page: Page;
  readonly result: unknown;
  readonly cited?: readonly Citation[];
};

/** Puts an answer together: the first rows, what was left out, the page they are from, and what was not read. */
export function answered(
  asker: Pick<Asker, 'target'>,
  { head, rows = [], page, result, cited = [] }: Answered,
): ToolAnswer {
  const shown = rows.slice(0, mostRows);
  const more = rows.length - shown.length;
  return {
    head,
    rows: more > 0 ? [...shown, { text: `${more} more on the page.` }] : shown,
    citations: [
      { kind: 'page', label: pageTitles[page.tab], address: placeIn(page, asker) },
      ...cited,
      ...shown.flatMap(({ text, address }) =>
        address === undefined
          ? []
          : [{ kind: 'object' as const, label: text.split(':', 1)[0] ?? text, address }],
      ),
    ],
    gaps: gapsOf(result),
    result: bounded(result),
  };
}

/** `1 node`, `3 nodes`, `No nodes`. */
export function counted(n: number, one: string, several = `${one}s`): string {
  return n === 0 ? `No ${several}` : `${n.toLocaleString('en')} ${n === 1 ? one : several}`;
}

/** `2 of 5 nodes failing or degraded.`, or that all are healthy. */
export function healthSentence(states: readonly string[], one: string, several = `${one}s`): string {
  const count = (state: string) => states.filter((each) => each === state).length;
  if (states.length === 0) return `No ${several}.`;
  const parts = (['failing', 'degraded', 'not_read'] as const).flatMap((state) => {
    const n = count(state);
    return n === 0 ? [] : [`${n} ${state === 'not_read' ? 'not read' : state}`];
  });
  const all = counted(states.length, one, several);
  return parts.length === 0 ? `${all}, none failing.` : `${all}: ${parts.join(', ')}.`;
}

/** Whether a state needs a person. */
export const isBad = (state: string | undefined): boolean => state === 'failing' || state === 'degraded';

/** `name: state, reason`. */
export function stateText(name: string, state: string, reason?: string): string {
  const plain = state.replaceAll('_', ' ');
  return reason === undefined
    ? `${outsideText(name)}: ${plain}`
    : `${outsideText(name)}: ${plain}. ${outsideText(reason)}`;
}

const order = ['failing', 'degraded', 'not_read', 'working', 'healthy', 'idle'];
/** Worst first, in place of the order of the page. */
export function worstOf<T extends { readonly state: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

function gapsOf(result: unknown): string[] {
  if (typeof result !== 'object' || result === null || !('unmeasured' in result)) return [];
  const { unmeasured } = result;
  return Array.isArray(unmeasured) ? unmeasured.map((each) => outsideText(String(each))).slice(0, 10) : [];
}

/** A result whose lists are cut: what reads it has a budget, and the page has the rest. */
function bounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostItems).map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bounded(each)]));
}
