import { parsedJson } from '../../../base/parsed-json.ts';
import { deepestObject, isDeeperThan, isRecord, type RawObject } from '../../../cluster-model/index.ts';
import { jsonItems } from '../documents/json-items.ts';
import { yamlDocuments, yamlItems } from '../documents/yaml-items.ts';
import { yamlObject } from '../documents/yaml-object.ts';

/** The objects of a YAML or JSON text. */
export type DocumentObjects = {
  readonly objects: readonly RawObject[];
  /** Kinds of which the text holds a list, so that what is not in it was not there. */
  readonly listed: readonly string[];
  /** Objects that were not understood, or only to where the text ends. */
  readonly cut: number;
};

const nothing: DocumentObjects = { objects: [], listed: [], cut: 0 };

/** Reads objects of a text that may end anywhere: what is whole of the last one is taken. */
export function documentObjects(form: 'yaml' | 'json', text: string): DocumentObjects {
  return form === 'json' ? fromJson(text) : fromYaml(text);
}

function fromYaml(text: string): DocumentObjects {
  const objects: RawObject[] = [];
  const listed = new Set<string>();
  let cut = 0;
  for (const document of yamlDocuments(text)) {
    const { form, items, envelope } = yamlItems(document);
    const kind = /^kind:\s*["']?(\w+?)List["']?\s*$/m.exec(envelope)?.[1];
    for (const [at, item] of items.entries()) {
      const read = readYaml(item.text, at === items.length - 1);
      const own = asObjects(read.value, kind);
      objects.push(...own);
      if (form !== 'object') for (const object of own) listed.add(String(object.kind));
      if (read.cut || own.length === 0) cut += 1;
    }
  }
  return { objects, listed: [...listed], cut };
}

/** Lines that are taken off the end of a text that breaks off, at most. */
const mostCut = 60;

function readYaml(text: string, isLast: boolean): { readonly value: unknown; readonly cut: boolean } {
  try {
    return { value: yamlObject(text), cut: false };
  } catch {
    if (!isLast) return { value: undefined, cut: true };
  }
  let end = text.trimEnd().length;
  for (let tries = 0; tries < mostCut && end > 0; tries++) {
    end = text.lastIndexOf('\n', end - 1);
    if (end <= 0) break;
    try {
      return { value: yamlObject(text.slice(0, end)), cut: true };
    } catch {
      // One line less may be whole.
    }
  }
  return { value: undefined, cut: true };
}

function fromJson(text: string): DocumentObjects {
  const bytes = Buffer.from(text);
  const start = /\S/.exec(text)?.index ?? 0;
  const { form, items, envelope, cut } = jsonItems(bytes, start);
  const kind = /"kind"\s*:\s*"(\w+?)List"/.exec(envelope)?.[1];
  const objects = items.flatMap(({ from, to }) =>
    asObjects(parsedJson(bytes.toString('utf8', from, to)), kind || undefined),
  );
  if (form !== 'object')
    return {
      objects,
      listed: cut ? [] : [...new Set(objects.map((object) => String(object.kind)))],
      cut: cut ? 1 : 0,
    };
  if (objects.length > 0) return { objects, listed: [], cut: 0 };
  const rest = asObjects(parsedJson(closedJson(text)), undefined);
  return rest.length === 0 ? nothing : { objects: rest, listed: [], cut: 1 };
}

/** A JSON text that breaks off, to the last value that is whole, with its brackets closed. */
function closedJson(text: string): string {
  let safe = 0;
  bracketsIn(text, (at, char) => {
    if (char === ',') safe = at;
    else if (char === '}' || char === ']') safe = at + 1;
  });
  const whole = text.slice(0, safe);
  return whole + bracketsIn(whole).toReversed().join('');
}

/** Returns what closes the brackets that are open at the end of a JSON text; `onChar` gets what is in no string. */
function bracketsIn(text: string, onChar?: (at: number, char: string) => void): string[] {
  const open: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') {
      for (i += 1; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i += 1;
    } else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
    onChar?.(i, char);
  }
  return open;
}

/** Lists within lists that are followed. */
const mostLists = 4;

/** What is an object of Kubernetes in a value; `kind` is that of the list it is an item of. */
function asObjects(value: unknown, kind: string | undefined, levels = mostLists): RawObject[] {
  if (levels === 0) return [];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => asObjects(each, kind, levels - 1));
  if (!isRecord(value)) return [];
  if (Array.isArray(value.items) && /List$/.test(String(value.kind ?? 'List')))
    return value.items.flatMap((each: unknown) =>
      asObjects(each, String(value.kind ?? '').replace(/List$/, '') || undefined, levels - 1),
    );
  const own = typeof value.kind === 'string' ? value.kind : (kind ?? shown(value));
  if (own === undefined || !isRecord(value.metadata) || typeof value.metadata.name !== 'string') return [];
  if (isDeeperThan(value, deepestObject)) return [];
  return [{ apiVersion: '', ...value, kind: own }];
}

/** The kind of an object whose head is missing, by fields that no other has. */
function shown({ status, spec, involvedObject }: RawObject): string | undefined {
  if (isRecord(involvedObject)) return 'Event';
  if (isRecord(status) && (status.containerStatuses !== undefined || status.podIP !== undefined))
    return 'Pod';
  if (isRecord(spec) && Array.isArray(spec.containers)) return 'Pod';
  if (isRecord(status) && isRecord(status.nodeInfo)) return 'Node';
  return undefined;
}
