import { load } from 'js-yaml';
import type { RawObject } from '../types.ts';
import { inWords } from './bundle-error.ts';
import { jsonItems } from './json-items.ts';
import type { Pace } from './pace.ts';
import { type YamlPiece, yamlDocuments, yamlItems } from './yaml-items.ts';

/** What surrounds objects in their file: empty texts for what it does not say. */
export type Envelope = { readonly kind: string; readonly apiVersion: string; readonly isList: boolean };

export type ObjectsInFile = {
  /** Of each list in the file, also of an empty one. */
  readonly envelopes: readonly Envelope[];
  /** What could not be understood, a clause each. */
  readonly problems: readonly string[];
};

/** An object, what surrounds it, and its place in the file in bytes (JSON) or characters (YAML). */
export type OnObject = (object: RawObject, envelope: Envelope, offset: number) => Promise<void>;

/**
 * The Kubernetes objects of a file, one after another: an object, a list, a bare array or several YAML documents.
 * What is no mapping is passed over.
 */
export async function readObjects(bytes: Buffer, pace: Pace, onObject: OnObject): Promise<ObjectsInFile> {
  const start = contentStart(bytes);
  const first = bytes[start];
  if (first === undefined) return { envelopes: [], problems: [] };
  // JSON is also YAML: what begins as JSON is read as such whatever the file is called.
  return first === 0x7b || first === 0x5b
    ? readJson(bytes, start, pace, onObject)
    : readYaml(bytes.toString('utf8', start), pace, onObject);
}

/** After a byte order mark and white space. */
function contentStart(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && /\s/.test(String.fromCharCode(bytes[at] ?? 0))) at += 1;
  return at;
}

async function readJson(
  bytes: Buffer,
  start: number,
  pace: Pace,
  onObject: OnObject,
): Promise<ObjectsInFile> {
  const { form, items, envelope: around, cut } = jsonItems(bytes, start);
  const problems: string[] = cut ? ['it ends before its content does'] : [];
  let envelope = noEnvelope;
  try {
    envelope = envelopeOf(JSON.parse(around), form);
  } catch {
    if (!cut) problems.push('its list is no valid JSON');
  }
  for (const { from, to } of items) {
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8', from, to));
      // A list whose items are null is read as an object, and is none.
      const empty = form === 'object' ? emptyList(value) : undefined;
      if (empty !== undefined) envelope = empty;
      else if (isRecord(value)) await onObject(value, envelope, from);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push(`what begins at byte ${from} is no valid JSON`);
    }
    await pace.breathe();
  }
  return { envelopes: form === 'object' && !envelope.isList ? [] : [envelope], problems };
}

async function readYaml(source: string, pace: Pace, onObject: OnObject): Promise<ObjectsInFile> {
  // Redaction leaves what YAML takes for an alias; the redactor itself writes it so when it reads.
  const text = source.includes('***HIDDEN***') ? source.replaceAll('***HIDDEN***', 'HIDDEN') : source;
  const problems: string[] = [];
  const envelopes: Envelope[] = [];
  const parsed = (piece: YamlPiece): unknown => {
    try {
      // Redacted keys are often the same; the last wins, as in JSON. Aliases are how a small file fills the memory.
      return load(piece.text, { json: true, maxAliases: 0 });
    } catch (error) {
      problems.push(`what begins at character ${piece.from} is no valid YAML (${firstLine(inWords(error))})`);
      return undefined;
    }
  };
  for (const document of yamlDocuments(text)) {
    const { form, items, envelope: around } = yamlItems(document);
    let envelope = envelopeOf(
      around === '' ? undefined : parsed({ text: around, from: document.from }),
      form,
    );
    for (const piece of items) {
      const value = parsed(piece);
      const empty = form === 'object' ? emptyList(value) : undefined;
      if (empty !== undefined) {
        envelope = empty;
      } else {
        for (const object of form !== 'object' && Array.isArray(value) ? value : itemsOf(value))
          if (isRecord(object)) await onObject(object, envelope, piece.from);
      }
      await pace.breathe();
    }
    if (envelope.isList) envelopes.push(envelope);
  }
  return { envelopes, problems };
}

const noEnvelope: Envelope = { kind: '', apiVersion: '', isList: false };

function envelopeOf(value: unknown, form: 'list' | 'array' | 'object'): Envelope {
  const { kind, apiVersion } = isRecord(value) ? value : {};
  return {
    kind: typeof kind === 'string' ? kind : '',
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    isList: form !== 'object',
  };
}

/** A list without items is an empty list; undefined for anything else. */
function emptyList(value: unknown): Envelope | undefined {
  if (Array.isArray(value)) return value.length === 0 ? { ...noEnvelope, isList: true } : undefined;
  if (!isRecord(value) || !('items' in value)) return undefined;
  const { items } = value;
  return items === null || (Array.isArray(items) && items.length === 0)
    ? envelopeOf(value, 'list')
    : undefined;
}

/** A list that could not be cut apart. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) && Array.isArray(value.items) ? value.items : [value];
}

export function isRecord(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
