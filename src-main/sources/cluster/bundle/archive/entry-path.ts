import { posix } from 'node:path';

const longestPath = 4096;

/**
 * The path of an entry inside the bundle, with forward slashes and without `.` parts; undefined for one that would lie
 * outside of it: absolute, with a drive letter, or climbing by `..`. Empty for the bundle itself.
 */
export function insidePath(name: string): string | undefined {
  if (name.length > longestPath || name.includes('\0') || name.startsWith('/') || /^[a-zA-Z]:/.test(name))
    return undefined;
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
}

/**
 * Returns the path inside the bundle that a symbolic link at `path` points to; undefined when it leaves the
 * bundle.
 */
export function linkedPath(path: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const joined = posix.normalize(posix.join(posix.dirname(path), target));
  return joined === '..' || joined.startsWith('../') ? undefined : insidePath(joined);
}

/** An entry's name as it is shown: quoted, since it may hold anything. */
export function shownName(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}...` : name);
}
