import { isRecord } from '../../cluster-model/index.ts';

/** A place in a text: `${input.namespace}`, `${steps.look.result.metadata.name}`. */
const places = /\$\{\s*([a-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]+)*)\s*\}/g;
const anyPlace = /\$\{[^}]*\}?/g;

/** What a text's places and conditions are read from, by name. */
export type Scope = Readonly<Record<string, unknown>>;

/** Thrown for a place that has no value; the message is a sentence. */
export class TemplateFault extends Error {}

/** Returns the places of a text, as paths. Throws `TemplateFault` for one that is not written as a path. */
export function placesOf(text: string): string[][] {
  const found = [...text.matchAll(places)];
  const written = text.match(anyPlace) ?? [];
  const odd = written.find((place) => !found.some(([whole]) => whole === place));
  if (odd !== undefined)
    throw new TemplateFault(`"${odd}" is no place: write a path such as \${input.namespace}.`);
  return found.map(([, path = '']) => path.split('.'));
}

/**
 * Returns a value with the places of its texts filled in. A text that is one place keeps the value's type. Throws
 * `TemplateFault` for a place without a value.
 */
export function fill(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fillText(value, scope);
  if (Array.isArray(value)) return value.map((each) => fill(each, scope));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, scope)]));
  return value;
}

/** Returns a text with its places filled in. Throws `TemplateFault`. */
export function fillLine(text: string, scope: Scope): string {
  return text.replaceAll(places, (_place, path: string) => written(valueAt(path, scope)));
}

function fillText(text: string, scope: Scope): unknown {
  const [only] = [...text.matchAll(places)];
  if (only !== undefined && only[0] === text) return valueAt(only[1] ?? '', scope);
  return fillLine(text, scope);
}

function valueAt(path: string, scope: Scope): unknown {
  let value: unknown = scope;
  for (const name of path.split('.')) {
    value =
      isRecord(value) && Object.hasOwn(value, name)
        ? value[name]
        : Array.isArray(value) && /^\d+$/.test(name)
          ? value[Number(name)]
          : undefined;
  }
  if (value === undefined || value === null) throw new TemplateFault(`\${${path}} has no value in this run.`);
  return value;
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
