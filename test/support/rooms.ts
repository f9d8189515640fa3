/** A folder of the program, what lives there and what it may import. */
export type Room = {
  /** A folder, or one of the two entries. */
  readonly path: string;
  /** Description for docs/development.md. */
  readonly holds: string;
  /** Other rooms it may import. */
  readonly imports: readonly string[];
  /**
   * Whether each folder in it is a unit of its own, which other units and rooms import through its `index.ts` only;
   * `apart`: which another unit never imports.
   */
  readonly units?: 'by index' | 'apart';
  /** Packages it may import, where that is a matter of its purpose; `node:` stands for all of Node's own. */
  readonly packages?: readonly string[];
};

const contract = ['src-shared'];

/** Every room, from the lowest to the highest. */
export const rooms: readonly Room[] = [
  {
    path: 'src-shared',
    holds: 'the contract: every route as data, and types shared by window and server',
    imports: [],
    packages: ['zod', '@bufbuild/protobuf'],
  },
  {
    path: 'src-main/base',
    holds: 'constant-time comparison, private files, loopback, concurrency',
    imports: [],
    packages: ['node:'],
  },
  {
    path: 'src-main/cel',
    holds: 'conditions in CEL, metered: compiled, checked, evaluated within a bound of steps',
    imports: ['src-main/base'],
    packages: ['node:', '@bufbuild/cel', '@bufbuild/protobuf'],
  },
  {
    path: 'src-main/kube-objects',
    holds:
      'objects of the Kubernetes API without knowing their kind: fields, selectors, the columns kubectl prints',
    imports: ['src-main/base'],
    packages: [],
  },
  {
    path: 'src-main/log-scan',
    holds: 'byte-level literal search and the lines around matches',
    imports: [],
    packages: ['node:'],
  },
  {
    path: 'src-main/grpc',
    holds: 'gRPC features Connect lacks: gRPC-web text mode, unknown methods, errors, admission',
    imports: contract,
    packages: ['node:', '@connectrpc/connect'],
  },
  {
    path: 'src-main/id-token',
    holds: "OpenID ID tokens: the issuer's keys, claim checks, single use",
    imports: contract,
    packages: ['node:', 'jose', 'zod'],
  },
  {
    path: 'src-main/config',
    holds: 'every variable with its type, default and validation',
    imports: ['src-main/base', ...contract],
    packages: ['node:'],
  },
  {
    path: 'src-main/store',
    holds: 'the database and its dialects: embedded and encrypted, or PostgreSQL',
    imports: ['src-main/base', ...contract],
  },
  {
    path: 'src-main/cluster-model',
    holds: 'health of Kubernetes objects: objects in, verdicts out, no I/O',
    imports: contract,
    packages: ['node:crypto', 'zod'],
  },
  {
    path: 'src-main/sources',
    holds:
      'one external system behind one interface: cluster (live or bundle), code host, registry, keychain',
    imports: [
      'src-main/base',
      'src-main/cluster-model',
      'src-main/kube-objects',
      'src-main/log-scan',
      ...contract,
    ],
    units: 'by index',
  },
  {
    path: 'src-main/features',
    holds: 'one capability per folder: its routes, logic and tables',
    imports: [
      'src-main/base',
      'src-main/cel',
      'src-main/cluster-model',
      'src-main/config',
      'src-main/grpc',
      'src-main/id-token',
      'src-main/kube-objects',
      'src-main/log-scan',
      'src-main/sources',
      'src-main/store',
      ...contract,
    ],
    units: 'by index',
  },
  {
    path: 'src-main/console',
    holds: 'the HTTP server: guard, sessions, access classes, mounting; wires the features',
    imports: [
      'src-main/base',
      'src-main/config',
      'src-main/features',
      'src-main/grpc',
      'src-main/sources',
      'src-main/store',
      ...contract,
    ],
  },
  {
    path: 'src-main/kube-api',
    holds: 'a Kubernetes API over a set of objects, for the sandbox and `bundle serve`',
    imports: ['src-main/base', 'src-main/cel', 'src-main/kube-objects', ...contract],
  },
  {
    path: 'src-main/backends',
    holds: "the platform's services as separate programs",
    imports: ['src-main/base', 'src-main/grpc', 'src-main/id-token', 'src-main/store', ...contract],
    units: 'by index',
  },
  {
    path: 'src-main/sandbox',
    holds: 'a small platform on loopback, loaded only on use',
    imports: ['src-main/backends', 'src-main/base', 'src-main/config', 'src-main/kube-api', ...contract],
  },
  {
    path: 'src-main/start',
    holds: 'from the environment to a running console, and its shutdown',
    imports: [
      'src-main/base',
      'src-main/config',
      'src-main/console',
      'src-main/features',
      'src-main/sandbox',
      'src-main/sources',
      'src-main/store',
      ...contract,
    ],
  },
  {
    path: 'src-main/commands',
    holds: '`operator-console audit, keys, capture, bundle, diagnose, mcp, backend, runner`',
    imports: [
      'src-main/backends',
      'src-main/base',
      'src-main/cluster-model',
      'src-main/config',
      'src-main/features',
      'src-main/kube-api',
      'src-main/sources',
      'src-main/start',
      'src-main/store',
      ...contract,
    ],
  },
  {
    path: 'src-main/updates',
    holds: 'signed updates of the desktop program: feed, manifest, download, replacing, going back',
    imports: ['src-main/base'],
    packages: ['node:', 'zod'],
  },
  {
    path: 'src-main/desktop',
    holds: "windows, menu, deep links, preload bridge, the sandbox's process",
    imports: [
      'src-main/base',
      'src-main/config',
      'src-main/sandbox',
      'src-main/start',
      'src-main/updates',
      ...contract,
    ],
  },
  {
    path: 'src-main/main.ts',
    holds: 'the desktop entry point',
    imports: ['src-main/base', 'src-main/config', 'src-main/desktop', 'src-main/start', ...contract],
  },
  {
    path: 'src-main/cli.ts',
    holds: 'the command line, including `serve` and `start`',
    imports: [
      'src-main/backends',
      'src-main/base',
      'src-main/commands',
      'src-main/config',
      'src-main/start',
      ...contract,
    ],
  },
  {
    path: 'src-renderer/core',
    holds: 'API client, address, session, shortcuts, queries: the base of every page',
    imports: contract,
  },
  {
    path: 'src-renderer/components',
    holds: 'table, list, log viewer, dialogs',
    imports: ['src-renderer/core', ...contract],
  },
  {
    path: 'src-renderer/pages',
    holds: 'one page per folder',
    imports: ['src-renderer/core', 'src-renderer/components', ...contract],
    units: 'apart',
  },
  {
    path: 'src-renderer/app',
    holds: 'shell, navigation, palette, targets, theme',
    imports: ['src-renderer/core', 'src-renderer/components', 'src-renderer/pages', ...contract],
  },
  {
    path: 'src-renderer/main.tsx',
    holds: 'the entry point of the window',
    imports: ['src-renderer/core', 'src-renderer/app', ...contract],
  },
];

/** Units below those of their room: large parts of a unit with an `index.ts` of their own, imported through it. */
export const innerUnits: readonly string[] = [
  'src-main/sources/cluster/bundle',
  'src-main/sources/cluster/live',
  'src-main/sources/cluster/text',
];

/** Rooms that are one unit themselves, with the files through which they are imported. */
export const roomEntrances: Readonly<Record<string, readonly string[]>> = {
  'src-main/cel': ['src-main/cel/index.ts'],
  'src-main/cluster-model': [
    'src-main/cluster-model/index.ts',
    // Shapes alone, and the pieces they are made of: what reads objects needs no judgement of them.
    'src-main/cluster-model/kinds/index.ts',
    'src-main/cluster-model/kinds/fields.ts',
  ],
  'src-main/config': ['src-main/config/index.ts'],
  'src-main/log-scan': ['src-main/log-scan/index.ts'],
  'src-main/store': ['src-main/store/index.ts'],
  'src-main/updates': ['src-main/updates/index.ts'],
};

/** Only these may import Electron: everything else runs on a server, too. */
export const electronRooms: readonly string[] = ['src-main/desktop', 'src-main/main.ts'];

/** Packages that one room alone may import: what they do is behind its interface. */
export const ownedPackages: Readonly<Record<string, string>> = { '@bufbuild/cel': 'src-main/cel' };
