import { isRecord } from '../../../../cluster-model/index.ts';
import type { RawObject } from '../../../../cluster-model/kinds/index.ts';
import { jsonItems } from '../../documents/json-items.ts';
import { type YamlPiece, yamlDocuments, yamlItems } from '../../documents/yaml-items.ts';
import { NotYaml, yamlHead, yamlObject } from '../../documents/yaml-object.ts';
import type { ObjectText } from './object-store.ts';

/** The envelope of objects in their file: empty strings for fields it does not set. */
export type Envelope = { readonly kind: string; readonly apiVersion: string; readonly isList: boolean };

export type ObjectsInFile = {
  /** Envelope of each list in the file, including empty ones. */
  readonly envelopes: readonly Envelope[];
  /** Parts that could not be parsed, a clause each. */
  readonly problems: readonly string[];
};

export type FoundObject = {
  /** At least what it is: `apiVersion`, `kind`, and of its metadata the name, namespace, uid and creationTimestamp. */
  readonly head: RawObject;
  /** All of it. Throws for what is not of its form. */
  readonly whole: () => RawObject;
  readonly text: () => ObjectText;
  readonly envelope: Envelope;
  /** Its place in the file in bytes (JSON) or characters (YAML). */
  readonly offset: number;
};

export type OnObject = (found: FoundObject) => Promise<void>;

/**
 * Reads the Kubernetes objects of a file one after another: an object, a list, a bare array or several YAML
 * documents. Anything that is not a mapping is skipped.
 */
export async function readObjects(bytes: Buffer, onObject: OnObject): Promise<ObjectsInFile> {
  const start = contentStart(bytes);
  const first = bytes[start];
  if (first === undefined) return { envelopes: [], problems: [] };
  // JSON is also YAML: what begins as JSON is read as such whatever the file is called.
  return first === 0x7b || first === 0x5b
    ? readJson(bytes, start, onObject)
    : readYaml(bytes.toString('utf8', start), onObject);
}

/** After a byte order mark and white space. */
function contentStart(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
}

const isSpace = (byte: number | undefined): boolean => /\s/.test(String.fromCharCode(byte ?? 0));

/** Also several values after one another, as several commands write them into one file. */
async function readJson(bytes: Buffer, start: number, onObject: OnObject): Promise<ObjectsInFile> {
  const envelopes: Envelope[] = [];
  const problems: string[] = [];
  let at = start;
  while (bytes[at] === openBrace || bytes[at] === openBracket) {
    const { envelope, end } = await readJsonValue(bytes, at, onObject, problems);
    if (envelope.isList) envelopes.push(envelope);
    at = end;
    while (at < bytes.length && isSpace(bytes[at])) at += 1;
  }
  if (at < bytes.length) {
    problems.push(
      bytes.toString('latin1', at, at + dumpedLog.length) === dumpedLog
        ? `what follows at byte ${at} is a log, as kubectl cluster-info dump writes it without a folder: take the dump anew with --output-directory, and open that folder`
        : `what follows at byte ${at} is no JSON`,
    );
  }
  return { envelopes, problems };
}

const [openBrace, openBracket] = [0x7b, 0x5b];
const dumpedLog = '==== START logs for container';

async function readJsonValue(
  bytes: Buffer,
  start: number,
  onObject: OnObject,
  problems: string[],
): Promise<{ readonly envelope: Envelope; readonly end: number }> {
  const { form, items, envelope: around, cut, end } = jsonItems(bytes, start);
  if (cut) problems.push('it ends before its content does');
  let envelope = noEnvelope;
  try {
    envelope = envelopeOf(JSON.parse(around), form);
  } catch {
    if (!cut) problems.push('its list is no valid JSON');
    envelope = envelopeOf(undefined, form);
  }
  for (const { from, to } of items) {
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8', from, to));
      // A list whose items are null is read as an object, and is none.
      const empty = form === 'object' ? emptyList(value) : undefined;
      if (empty !== undefined) envelope = empty;
      else if (isRecord(value)) {
        await onObject({
          head: value,
          whole: () => value,
          text: () => ({ form: 'json', text: bytes.subarray(from, to) }),
          envelope,
          offset: from,
        });
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push(`what begins at byte ${from} is no valid JSON`);
    }
  }
  return { envelope, end };
}

async function readYaml(source: string, onObject: OnObject): Promise<ObjectsInFile> {
  // Redaction leaves what YAML takes for an alias; the redactor itself writes it so when it reads.
  const isRedacted = source.includes('***HIDDEN***');
  const text = isRedacted ? source.replaceAll('***HIDDEN***', 'HIDDEN') : source;
  const problems: string[] = [];
  const envelopes: Envelope[] = [];
  for (const document of yamlDocuments(text)) {
    const { form, items, envelope: around } = yamlItems(document);
    let envelope = noEnvelope;
    const read = async (piece: YamlPiece): Promise<void> => {
      // Redacted text is often no longer valid YAML, which must be reported at once.
      const head = isRedacted ? undefined : yamlHead(piece.text);
      if (head !== undefined) return onObject(lazily(piece, head, envelope));
      const value = yamlObject(piece.text);
      const empty = form === 'object' ? emptyList(value) : undefined;
      if (empty !== undefined) envelope = empty;
      else for (const object of itemsOf(value)) await onObject(parsed(object, piece, envelope));
    };
    for (const piece of [undefined, ...items]) {
      try {
        if (piece !== undefined) await read(piece);
        else envelope = envelopeOf(around === '' ? undefined : yamlObject(around), form);
      } catch (error) {
        if (!(error instanceof NotYaml)) throw error;
        const at = piece?.from ?? document.from;
        problems.push(`what begins at character ${at} is no valid YAML (${error.message})`);
        if (piece === undefined) envelope = envelopeOf(undefined, form);
      }
    }
    if (envelope.isList) envelopes.push(envelope);
  }
  return { envelopes, problems };
}

function lazily({ text, from }: YamlPiece, head: RawObject, envelope: Envelope): FoundObject {
  return {
    head,
    whole() {
      const value = yamlObject(text);
      return isRecord(value) ? value : head;
    },
    text: () => ({ form: 'yaml', text: Buffer.from(text) }),
    envelope,
    offset: from,
  };
}

function parsed(object: RawObject, { from }: YamlPiece, envelope: Envelope): FoundObject {
  return {
    head: object,
    whole: () => object,
    text: () => ({ form: 'json', text: Buffer.from(JSON.stringify(object)) }),
    envelope,
    offset: from,
  };
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

/** Returns the items of a list that could not be split, or the value itself for anything else. */
function itemsOf(value: unknown): readonly RawObject[] {
  const items = Array.isArray(value)
    ? value
    : isRecord(value) && Array.isArray(value.items)
      ? value.items
      : [value];
  return items.filter(isRecord);
}
