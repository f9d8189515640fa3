import { posix } from 'node:path';
import { type FoundImport, importsOf } from './imports-of.ts';
import { electronRooms, innerUnits, ownedPackages, type Room, roomEntrances, rooms } from './rooms.ts';

/** Paths from the repository's root to texts. */
export type SourceFiles = ReadonlyMap<string, string>;

type Edge = FoundImport & { readonly from: string; readonly to: string };

/** Returns a sentence for every import that the table of rooms does not allow, and for every circle at run time. */
export function roomFaults(files: SourceFiles): string[] {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [from, text] of files) {
    const room = roomOf(from);
    if (room === undefined) {
      faults.push(`${from} is in no room: add its folder to test/support/rooms.ts.`);
      continue;
    }
    const found = importsOf(text);
    for (const each of found) {
      const to = resolved(from, each.specifier);
      const fault =
        to === undefined ? packageFault(from, room, each.specifier) : edgeFault(room, { ...each, from, to });
      if (fault !== undefined) faults.push(fault);
      if (to !== undefined && each.kind === 'static') graph.set(from, [...(graph.get(from) ?? []), to]);
    }
  }
  return [...faults, ...circlesOf(graph).map((circle) => `Runtime circle: ${circle.join(' -> ')}.`)];
}

/** The file that an import names; undefined for a package's. */
function resolved(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#shared/')) return `src-shared/${specifier.slice('#shared/'.length)}`;
  if (!specifier.startsWith('.')) return undefined;
  return posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/[?#].*$/, '');
}

const isIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);
const roomOf = (file: string): Room | undefined => rooms.find(({ path }) => isIn(file, path));

function packageFault(from: string, { path, packages }: Room, specifier: string): string | undefined {
  if (specifier === 'electron' && !electronRooms.includes(path))
    return `${from} imports electron: only ${electronRooms.join(' and ')} may, because the rest runs on a server, too.`;
  const owned = Object.entries(ownedPackages).find(
    ([name]) => specifier === name || specifier.startsWith(`${name}/`),
  );
  if (owned !== undefined && owned[1] !== path)
    return `${from} imports ${specifier}: only ${owned[1]} may; use its index.ts.`;
  if (path.startsWith('src-renderer') && specifier.startsWith('node:'))
    return `${from} imports ${specifier}: the window is a web page.`;
  const isAllowed = packages?.some(
    (allowed) =>
      specifier === allowed ||
      specifier.startsWith(`${allowed}/`) ||
      (allowed === 'node:' && specifier.startsWith(allowed)),
  );
  return isAllowed === false
    ? `${from} imports ${specifier}: ${path} may import no package but ${packages?.join(', ')}.`
    : undefined;
}

function edgeFault(room: Room, { from, to }: Edge): string | undefined {
  const target = roomOf(to);
  if (target === undefined) {
    // The version in package.json, and what resources/ gives the build.
    const isProgram = ['src-main', 'src-renderer', 'test'].some((folder) => isIn(to, folder));
    return isProgram ? `${from} imports ${to}, which is in no room.` : undefined;
  }
  if (target !== room && !room.imports.includes(target.path))
    return `${from} imports ${to}: ${room.path} may not import ${target.path}.`;
  const entrances = roomEntrances[target.path];
  if (target !== room && entrances !== undefined && !entrances.includes(to))
    return `${from} imports ${to}: ${target.path} is imported through ${entrances.join(' or ')}.`;
  return unitFault(from, to, target);
}

/** `src-main/features/audit` of a file in it; undefined for a file of no unit. */
function unitOf(file: string, { path, units }: Room): string | undefined {
  if (units === undefined || !isIn(file, path)) return undefined;
  const inner = innerUnits.find((unit) => isIn(file, unit));
  if (inner !== undefined) return inner;
  const [name, ...rest] = file.slice(path.length + 1).split('/');
  return rest.length === 0 ? undefined : `${path}/${name}`;
}

function unitFault(from: string, to: string, target: Room): string | undefined {
  const unit = unitOf(to, target);
  // A part may import what it is a part of.
  if (unit === undefined || isIn(from, unit)) return undefined;
  if (target.units === 'apart' && unitOf(from, target) !== undefined)
    return `${from} imports ${to}: one of ${target.path} never imports another.`;
  if (target.units === 'apart' || to === `${unit}/index.ts`) return undefined;
  return `${from} imports ${to}: ${unit} is imported through its index.ts.`;
}

/** Circles, each once: files that reach each other, from one of them back to itself. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): void => {
    state.set(file, 'open');
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const seen = state.get(next);
      if (seen === 'open') circles.push([...path.slice(path.indexOf(next)), next]);
      else if (seen === undefined) visit(next);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return circles;
}
