import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { objectAt, textAt } from '../../../../src-main/base/json-fields.ts';
import { createContexts } from '../../../../src-main/sources/cluster/live/index.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { columnsOf, recordedTables } from '../../../support/recorded-tables.ts';

const given = process.env.TEST_KUBECONFIG;
const canAsk = given !== undefined && spawnSync('kubectl', ['version', '--client']).status === 0;
if (!canAsk) console.warn('skipped: kubectl on a real API server: TEST_KUBECONFIG is not set');

describe('the columns of a bundle', () => {
  it('are those a real API server printed of the same objects, of every kind', {
    timeout: 60_000,
  }, async () => {
    const tables = [...recordedTables('built-in'), ...recordedTables('custom')].filter(
      ({ plural }) => plural !== 'customresourcedefinitions',
    );
    const { cluster, kinds } = await opened({
      'cluster.json': {
        apiVersion: 'v1',
        kind: 'List',
        items: tables.flatMap(({ definition, rows }) => [
          ...(definition === undefined ? [] : [definition]),
          ...rows.map(({ object }) => object),
        ]),
      },
    });
    const takenAt = cluster.takenAt ?? 0;
    let compared = 0;
    for (const table of tables) {
      const kind = kinds.find(({ group, plural }) => group === table.group && plural === table.plural);
      expect([table.plural, table.group, kind === undefined]).toEqual([table.plural, table.group, false]);
      if (kind === undefined || cluster.table === undefined) continue;
      const read = await cluster.table({ kind, limit: 1_000, signal: AbortSignal.timeout(30_000) });
      if ('reason' in read) throw new Error(`${table.plural}: ${read.reason}`);
      expect(read.columns).toEqual(
        table.columns.map(({ name, type, format, priority }) => ({ name, type, format, wide: priority > 0 })),
      );
      const ours = columnsOf(table);
      for (const { object, cells } of table.rows) {
        const metadata = objectAt(object, 'metadata');
        const row = read.rows.find(
          ({ name, namespace }) =>
            name === metadata.name && (namespace ?? '') === textAt(metadata, 'namespace'),
        );
        // Ages count from the time the bundle was taken, and were printed at another.
        const expected = ours.map(({ cell }, index) => {
          const isAge = cell(object, takenAt) !== cell(object, table.at);
          return isAge ? cell(object, takenAt) : cells[index];
        });
        expect([table.plural, row?.cells]).toEqual([table.plural, expected]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(700);
  });
});

describe.skipIf(!canAsk)('the columns of a live cluster', () => {
  it('are what kubectl get prints, of every kind there is', { timeout: 300_000 }, async () => {
    const contexts = createContexts({
      files: () => [given ?? ''],
      env: { PATH: process.env.PATH },
      loginShellPath: false,
    });
    const cluster = await contexts.open((await contexts.current()) ?? '', {
      writable: () => false,
      namespaces: () => [],
      now: Date.now,
    });
    const { signal } = new AbortController();
    const { kinds = [] } = (await cluster.kinds?.(signal)) ?? {};
    expect(kinds.length).toBeGreaterThan(40);
    const words = (text: string) => text.trim().split(/\s+/).join(' ');
    for (const kind of kinds) {
      const name = kind.group === '' ? kind.plural : `${kind.plural}.${kind.version}.${kind.group}`;
      await expect
        .poll(
          async () => {
            const printed = execFileSync(
              'kubectl',
              ['--kubeconfig', given ?? '', 'get', name, '-A', '-o', 'wide', '--no-headers'],
              { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
            );
            const read = await cluster.table?.({ kind, limit: 1_000, signal });
            if (read === undefined || 'reason' in read) return [name, read?.reason];
            const ours = read.rows.map(({ namespace, cells }) =>
              words(
                [...(kind.namespaced ? [namespace] : []), ...cells.slice(0, read.columns.length)]
                  // kubectl ends a cell at its first line end.
                  .map((cell) => String(cell ?? '').split(/[\n\r\f]/)[0])
                  .join(' '),
              ),
            );
            const theirs = printed.split('\n').filter(Boolean).map(words);
            const differ = theirs.filter((line) => !ours.includes(line));
            return [name, theirs.length === ours.length ? differ.slice(0, 1) : [theirs.length, ours.length]];
          },
          { timeout: 20_000 },
        )
        .toEqual([name, []]);
    }
    cluster.close();
  });
});
