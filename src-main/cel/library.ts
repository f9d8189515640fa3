import { isIP } from 'node:net';
import {
  type CelFunc,
  type CelList,
  type CelMap,
  CelScalar,
  celFunc,
  celMethod,
  listType,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';

const { BOOL, DYN, INT, STRING } = CelScalar;
const list = listType(DYN);

type Values = readonly unknown[];
const valuesOf = (given: CelList): Values => [...given];

/** Orders what CEL can compare: numbers, texts, booleans. Throws an Error for anything else. */
function compare(a: unknown, b: unknown): number {
  const isNumber = (value: unknown): value is number | bigint =>
    typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new Error('no such overload');
}

function extreme(given: CelList, name: string, sign: 1 | -1) {
  const [first, ...rest] = [...given];
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, each) => (sign * compare(each, best) > 0 ? each : best), first);
}

function sum(given: CelList): bigint | number {
  const numbers = valuesOf(given).map((each) => {
    if (typeof each === 'bigint' || typeof each === 'number') return each;
    throw new Error('no such overload');
  });
  return numbers.every((each) => typeof each === 'bigint')
    ? numbers.reduce<bigint>((total, each) => total + BigInt(each), 0n)
    : numbers.reduce<number>((total, each) => total + Number(each), 0);
}

/** Lists as the standard library of Kubernetes for CEL has them (k8s.io/apiserver, pkg/cel/library/lists.go). */
const lists: readonly CelFunc[] = [
  celMethod('isSorted', list, [], BOOL, function () {
    const values = valuesOf(this);
    return values.every((each, index) => index === 0 || compare(values[index - 1], each) <= 0);
  }),
  celMethod('min', list, [], DYN, function () {
    return extreme(this, 'min', -1);
  }),
  celMethod('max', list, [], DYN, function () {
    return extreme(this, 'max', 1);
  }),
  celMethod('sum', list, [], DYN, function () {
    return sum(this);
  }),
  celMethod('indexOf', list, [DYN], INT, function (wanted) {
    return BigInt(valuesOf(this).indexOf(wanted));
  }),
  celMethod('lastIndexOf', list, [DYN], INT, function (wanted) {
    return BigInt(valuesOf(this).lastIndexOf(wanted));
  }),
];

const isWithin = (all: Values, some: Values): boolean => {
  const known = new Set(all);
  return some.every((each) => known.has(each));
};

/** Sets of scalars (cel-go, ext/sets.go). */
const sets: readonly CelFunc[] = [
  celFunc('sets.contains', [list, list], BOOL, (all, some) => isWithin(valuesOf(all), valuesOf(some))),
  celFunc(
    'sets.equivalent',
    [list, list],
    BOOL,
    (a, b) => isWithin(valuesOf(a), valuesOf(b)) && isWithin(valuesOf(b), valuesOf(a)),
  ),
  celFunc('sets.intersects', [list, list], BOOL, (a, b) => {
    const known = new Set(valuesOf(a));
    return valuesOf(b).some((each) => known.has(each));
  }),
];

/** Parses an absolute URI or path, as url.ParseRequestURI of Go does. */
function parsedUrl(given: string): URL | undefined {
  if (/[\s#]/.test(given)) return undefined;
  if (given.startsWith('/')) return URL.canParse(given, 'path://') ? new URL(given, 'path://') : undefined;
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(given) && URL.canParse(given) ? new URL(given) : undefined;
}

const partOfUrl = (url: CelMap, part: string): string => {
  const value = url.get(part);
  if (typeof value !== 'string') throw new Error('no such overload');
  return value;
};

/** Addresses (pkg/cel/library/urls.go); a parsed one is a map of its parts. */
const urls: readonly CelFunc[] = [
  celFunc('isURL', [STRING], BOOL, (given) => parsedUrl(given) !== undefined),
  celFunc('url', [STRING], DYN, (given) => {
    const found = parsedUrl(given);
    if (found === undefined) throw new Error(`URL parse error during conversion from string: ${given}`);
    const isPath = given.startsWith('/');
    return new Map([
      ['scheme', isPath ? '' : found.protocol.slice(0, -1)],
      ['host', isPath ? '' : found.host],
      ['hostname', isPath ? '' : found.hostname.replace(/^\[|\]$/g, '')],
      ['port', isPath ? '' : found.port],
      ['path', found.pathname],
    ]);
  }),
  ...['scheme', 'host', 'hostname', 'port'].map((part) =>
    celMethod(`get${part.charAt(0).toUpperCase()}${part.slice(1)}`, DYN, [], STRING, function () {
      return partOfUrl(this as CelMap, part);
    }),
  ),
  celMethod('getEscapedPath', DYN, [], STRING, function () {
    return partOfUrl(this as CelMap, 'path');
  }),
];

const isCidr = (given: string): boolean => {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(given) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
};

/** IP addresses (pkg/cel/library/ip.go, cidr.go): those that ask whether a text is one. */
const addresses: readonly CelFunc[] = [
  celFunc('isIP', [STRING], BOOL, (given) => isIP(given) !== 0),
  celFunc('isCIDR', [STRING], BOOL, isCidr),
];

/** The functions that rules have beside CEL's own. */
export const libraryFunctions: readonly CelFunc[] = [...strings, ...lists, ...sets, ...urls, ...addresses];
