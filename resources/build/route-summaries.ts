import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The module of the summaries by route, for the page that shows them. */
const name = 'virtual:route-summaries';
/** The sentence of a row, in either kind of quotes. */
const summary = /(\bsummary:\s*)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

/**
 * Leaves the summaries of routes out of what every page loads: they are a tenth of the route table, and one page shows
 * them, which imports `virtual:route-summaries`.
 */
export function routeSummaries(root: string): Plugin {
  const table = join(root, 'src-shared', 'api') + sep;
  return {
    name: 'route-summaries',
    enforce: 'pre',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const { routeTable } = (await import(pathToFileURL(join(table, 'index.ts')).href)) as {
        routeTable: readonly { readonly id: string; readonly summary: string }[];
      };
      return `export const routeSummaries = ${JSON.stringify(Object.fromEntries(routeTable.map((row) => [row.id, row.summary])))}`;
    },
    transform: (code, id) =>
      id.startsWith(table) ? { code: code.replace(summary, "$1''"), map: null } : undefined,
  };
}
