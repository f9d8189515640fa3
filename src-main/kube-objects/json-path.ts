import { isJsonObject } from '../base/json-fields.ts';

/** What a path leads to; `null` in the object is found, too. */
type Found = { readonly value: unknown };
type Step = (values: readonly unknown[]) => unknown[];

/**
 * Reads a path of a printer column, such as `.status.conditions[?(@.type=="Ready")].status`, in kubectl's JSONPath: fields,
 * `['field']`, `[index]`, `[from:to]`, `[*]`, `..field` and filters with one comparison. Returns what finds its first value
 * in an object; one that cannot be read finds nothing.
 */
export function jsonPath(path: string): (object: unknown) => Found | undefined {
  const steps = parse(path.startsWith('$') ? path.slice(1) : path);
  if (steps === undefined) return () => undefined;
  return (object) => {
    let values: unknown[] = [object];
    for (const step of steps) {
      values = step(values);
      if (values.length === 0) return undefined;
    }
    return { value: values[0] };
  };
}

const tokens = [
  [/^\.\.((?:\\.|[^.[\]\s\\])+)/, (name: string) => everywhere(unescaped(name))],
  [/^\.\*|^\[\*\]/, () => children],
  [/^\.((?:\\.|[^.[\]\s\\])+)/, (name: string) => field(unescaped(name))],
  [
    /^\[\s*((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")(?:\s*,\s*(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))*)\s*\]/,
    fields,
  ],
  [/^\[\s*(-?\d+)\s*\]/, (index: string) => slice(Number(index), undefined, true)],
  [
    /^\[\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/,
    (from: string, to: string) => slice(optional(from), optional(to), false),
  ],
  [/^\[\?\(\s*(.+?)\s*\)\]/, filter],
] as const satisfies readonly (readonly [RegExp, (...parts: string[]) => Step | undefined])[];

function parse(path: string): Step[] | undefined {
  const steps: Step[] = [];
  // A path that begins without a dot names a field, too.
  let rest = path === '' || path.startsWith('.') || path.startsWith('[') ? path : `.${path}`;
  while (rest !== '' && rest !== '.') {
    const step = firstStep(rest);
    if (step === undefined) return undefined;
    steps.push(step.step);
    rest = rest.slice(step.length);
  }
  return steps;
}

function firstStep(rest: string): { readonly step: Step; readonly length: number } | undefined {
  for (const [pattern, read] of tokens) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const [whole, first = '', second = ''] = match;
    const step = read(first, second);
    return step === undefined ? undefined : { step, length: whole.length };
  }
  return undefined;
}

const unescaped = (name: string): string => name.replace(/\\(.)/g, '$1');
const optional = (number: string): number | undefined => (number === '' ? undefined : Number(number));

const field =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));

function fields(list: string): Step {
  const names = [...list.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/g)].map(([, single, double]) =>
    unescaped(single ?? double ?? ''),
  );
  return (values) => values.flatMap((value) => names.flatMap((name) => field(name)([value])));
}

const children: Step = (values) =>
  values.flatMap((value): unknown[] => {
    if (Array.isArray(value)) return value;
    return isJsonObject(value) ? Object.values(value) : [];
  });

const everywhere =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => [
      ...field(name)([value]),
      ...children([value]).flatMap((child) => everywhere(name)([child])),
    ]);

/** Elements of lists; a negative number counts from the end. An index beyond the end finds nothing. */
function slice(from: number | undefined, to: number | undefined, isIndex: boolean): Step {
  return (values) =>
    values.flatMap((value): unknown[] => {
      if (!Array.isArray(value)) return [];
      if (!isIndex) return value.slice(from ?? 0, to);
      const at = (from ?? 0) < 0 ? value.length + (from ?? 0) : (from ?? 0);
      return at >= 0 && at < value.length ? [value[at]] : [];
    });
}

/** One comparison of a field of each element with a value, or whether the element has the field. */
function filter(text: string): Step | undefined {
  const [, left = '', operator, right = ''] = /^@(.*?)\s*(?:(==|!=|>=|<=|>|<)\s*(.+))?$/.exec(text) ?? [];
  const steps = parse(left);
  if (steps === undefined || !text.startsWith('@')) return undefined;
  const valueIn = (element: unknown): Found | undefined => {
    let found: unknown[] = [element];
    for (const step of steps) found = step(found);
    return found.length === 0 ? undefined : { value: found[0] };
  };
  const wanted = literal(right);
  return (values) =>
    children(values).filter((element) => {
      const found = valueIn(element);
      if (found === undefined) return false;
      return operator === undefined || compares(found.value, operator, wanted);
    });
}

function literal(text: string): unknown {
  const quoted = /^'(.*)'$|^"(.*)"$/.exec(text);
  if (quoted !== null) return unescaped(quoted[1] ?? quoted[2] ?? '');
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function compares(left: unknown, operator: string, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const order = left === right ? 0 : left < (right as typeof left) ? -1 : 1;
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}
