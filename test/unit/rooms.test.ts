import { describe, expect, it } from 'vitest';
import { roomFaults } from '../support/check-room-imports.ts';
import { importsOf } from '../support/imports-of.ts';

const faultsOf = (files: Readonly<Record<string, string>>): string[] =>
  roomFaults(new Map(Object.entries(files)));

describe('the guard of rooms', () => {
  it('takes what the table allows', () => {
    expect(
      faultsOf({
        'src-main/features/audit/trail.ts': `
          import type { Store } from '../../store/index.ts';
          import { signInHandlers } from '../sign-in/index.ts';
          import { routeTable } from '#shared/api/index.ts';`,
        'src-main/sources/cluster/live/connector.ts': `import { nowOf } from '../reading.ts';`,
        'src-main/main.ts': `import { app } from 'electron';`,
        'src-renderer/app/app.tsx': `import { AuditPage } from '../pages/audit/audit-page.tsx';`,
        'src-renderer/pages/audit/audit-page.tsx': `import { Table } from '../../components/table/table.tsx';`,
      }),
    ).toEqual([]);
  });

  it.each([
    {
      name: 'a lower room that imports a higher one',
      file: 'src-main/sources/registry/index.ts',
      text: `import { auditHandlers } from '../../features/audit/index.ts';`,
      fault: 'src-main/sources may not import src-main/features',
    },
    {
      name: 'a type from a higher room',
      file: 'src-main/cluster-model/events.ts',
      text: `import type { Cluster } from '../sources/cluster/index.ts';`,
      fault: 'src-main/cluster-model may not import src-main/sources',
    },
    {
      name: 'a re-export from a higher room',
      file: 'src-main/config/index.ts',
      text: `export { secretFault } from '../features/settings/index.ts';`,
      fault: 'src-main/config may not import src-main/features',
    },
    {
      name: 'a room that is loaded when the line runs',
      file: 'src-main/base/loopback.ts',
      text: `export const start = () => import('../start/start-console.ts');`,
      fault: 'src-main/base may not import src-main/start',
    },
    {
      name: 'a backend that imports the console',
      file: 'src-main/backends/studio/index.ts',
      text: `import { createGate } from '../../console/access.ts';`,
      fault: 'src-main/backends may not import src-main/console',
    },
    {
      name: 'a backend that imports a feature',
      file: 'src-main/backends/cockpit/index.ts',
      text: `import { createKeys } from '../../features/settings/index.ts';`,
      fault: 'src-main/backends may not import src-main/features',
    },
    {
      name: 'another feature past its index',
      file: 'src-main/features/runs/routes.ts',
      text: `import type { OpenTargetOf } from '../targets/open-target.ts';`,
      fault: 'src-main/features/targets is imported through its index.ts',
    },
    {
      name: 'another source past its index',
      file: 'src-main/features/runs/routes.ts',
      text: `import { noCluster } from '../../sources/cluster/no-cluster.ts';`,
      fault: 'src-main/sources/cluster is imported through its index.ts',
    },
    {
      name: 'a part of a source past its own index',
      file: 'src-main/features/targets/bundles.ts',
      text: `import type { OpenBundle } from '../../sources/cluster/bundle/types.ts';`,
      fault: 'src-main/sources/cluster/bundle is imported through its index.ts',
    },
    {
      name: 'one part of a source that imports another past its index',
      file: 'src-main/sources/cluster/live/connector.ts',
      text: `import { readTar } from '../bundle/archive/tar.ts';`,
      fault: 'src-main/sources/cluster/bundle is imported through its index.ts',
    },
    {
      name: 'judgement of objects past its index',
      file: 'src-main/features/cluster/nodes.ts',
      text: `import { judgePod } from '../../cluster-model/pods/pod-verdict.ts';`,
      fault: 'src-main/cluster-model is imported through',
    },
    {
      name: 'a page that imports another',
      file: 'src-renderer/pages/runs/runs-page.tsx',
      text: `import { AuditPage } from '../audit/audit-page.tsx';`,
      fault: 'one of src-renderer/pages never imports another',
    },
    {
      name: 'a component that imports a page',
      file: 'src-renderer/components/table/table.tsx',
      text: `import { rows } from '../../pages/runs/use-runs.ts';`,
      fault: 'src-renderer/components may not import src-renderer/pages',
    },
    {
      name: 'what pages stand on that imports a component',
      file: 'src-renderer/core/tabs.ts',
      text: `import { Banner } from '../components/banner.tsx';`,
      fault: 'src-renderer/core may not import src-renderer/components',
    },
    {
      name: 'a style of another page',
      file: 'src-renderer/pages/runs/runs-page.tsx',
      text: `import styles from '../audit/audit-page.module.css';`,
      fault: 'one of src-renderer/pages never imports another',
    },
    {
      name: 'the window that imports the program',
      file: 'src-renderer/core/desktop.ts',
      text: `import { channels } from '../../src-main/desktop/channels.ts';`,
      fault: 'src-renderer/core may not import src-main/desktop',
    },
    {
      name: 'the contract that imports the program',
      file: 'src-shared/api/audit.ts',
      text: `import type { Store } from '../../src-main/store/index.ts';`,
      fault: 'src-shared may not import src-main/store',
    },
    {
      name: 'a package of the contract',
      file: 'src-shared/api/audit.ts',
      text: `import { fetch } from 'undici';`,
      fault: 'src-shared may import no package but zod',
    },
    {
      name: 'Electron in what runs on a server',
      file: 'src-main/start/program.ts',
      text: `import { app } from 'electron';`,
      fault: 'imports electron',
    },
    {
      name: 'Node in the window',
      file: 'src-renderer/core/desktop.ts',
      text: `import { readFileSync } from 'node:fs';`,
      fault: 'the window is a web page',
    },
    {
      name: 'a file of no room',
      file: 'src-main/utils/strings.ts',
      text: '',
      fault: 'is in no room',
    },
    {
      name: 'a test that the program imports',
      file: 'src-main/cli.ts',
      text: `import { startedConsole } from '../test/support/started-console.ts';`,
      fault: 'which is in no room',
    },
  ])('finds $name', ({ file, text, fault }) => {
    const faults = faultsOf({ [file]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(file);
    expect(faults[0]).toContain(fault);
  });

  it('finds a circle at run time, and none of types', () => {
    const a = 'src-main/store/a.ts';
    const b = 'src-main/store/b.ts';
    const c = 'src-main/store/c.ts';
    const circle = { [a]: `import { b } from './b.ts';`, [b]: `export * from './c.ts';` };
    expect(faultsOf({ ...circle, [c]: `import { a } from './a.ts';` })).toEqual([
      `Runtime circle: ${a} -> ${b} -> ${c} -> ${a}.`,
    ]);
    // Its names are erased, the import is not (verbatimModuleSyntax).
    expect(faultsOf({ ...circle, [c]: `import { type A } from './a.ts';` })).toHaveLength(1);
    expect(faultsOf({ ...circle, [c]: `import type { A } from './a.ts';` })).toEqual([]);
    expect(faultsOf({ ...circle, [c]: `const a = () => import('./a.ts');` })).toEqual([]);
  });
});

describe('the imports of a module', () => {
  it.each([
    [`import a from './a.ts';`, [['./a.ts', 'static']]],
    [`import a, { type B, c as d } from "./a.ts";`, [['./a.ts', 'static']]],
    [`import * as a from './a.ts';`, [['./a.ts', 'static']]],
    [`import './a.css';`, [['./a.css', 'static']]],
    [`import type { A } from './a.ts';`, [['./a.ts', 'type']]],
    [`import type A from './a.ts';`, [['./a.ts', 'type']]],
    [`import type from './a.ts';`, [['./a.ts', 'static']]],
    [`import {\n  a, // from './b.ts'\n  /* } from './c.ts' */ b,\n} from './a.ts';`, [['./a.ts', 'static']]],
    [`export { a } from './a.ts';`, [['./a.ts', 'static']]],
    [`export type { A } from './a.ts';`, [['./a.ts', 'type']]],
    [`export * as a from './a.ts';`, [['./a.ts', 'static']]],
    [`export type * from './a.ts';`, [['./a.ts', 'type']]],
    [`const a = await import('./a.ts');`, [['./a.ts', 'lazy']]],
    [`const a = \`\${await import('./a.ts')} import b from './b.ts'\`;`, [['./a.ts', 'lazy']]],
    [`export { a };\nconst from = './a.ts';`, []],
    [`export type A = { from: './a.ts' };`, []],
    [`export const a = 'import b from "./b.ts"';`, []],
    [`// import a from './a.ts';\n/* import b from './b.ts'; */`, []],
    [`const quote = /["'\`/]/g;\nimport a from './a.ts';`, [['./a.ts', 'static']]],
    [`const half = all / 2; // '\nimport a from './a.ts';`, [['./a.ts', 'static']]],
    [`const folder = import.meta.dirname;\nloader.import('./a.ts');`, []],
    [`const a = <p>It doesn't import {b} from here</p>;\nexport * from './a.ts';`, [['./a.ts', 'static']]],
    [`const a = \`one \${\`two \${three} import\`} four\`;\nimport b from './b.ts';`, [['./b.ts', 'static']]],
  ])('reads %s', (source, expected) => {
    expect(importsOf(source).map(({ specifier, kind }) => [specifier, kind])).toEqual(expected);
  });
});
