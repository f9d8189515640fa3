import { load } from 'js-yaml';
import { errorMessage } from '../../../base/error-message.ts';
import type { RawObject } from '../../../cluster-model/kinds/index.ts';

/** A text is no valid YAML; the message is its parser's. */
export class NotYaml extends Error {
  override readonly name = 'NotYaml';
}

/**
 * The value of a YAML text: of a piece of a list (`yamlItems`) the item itself. Redacted keys are often the same; the
 * last wins, as in JSON. Aliases are how a small file fills the memory: there are none. Throws `NotYaml`.
 */
export function yamlObject(text: string): unknown {
  const value = loaded(text);
  return text.trimStart().startsWith('- ') && Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function loaded(text: string): unknown {
  try {
    return load(text, { json: true, maxAliases: 0 });
  } catch (error) {
    throw new NotYaml(errorMessage(error).split('\n')[0], { cause: error });
  }
}

/** Fields of an object itself that its head has, beside its metadata. */
const ownFields = new Set(['apiVersion', 'kind', 'lastTimestamp', 'eventTime']);
const metadataFields = new Set(['name', 'namespace', 'uid', 'creationTimestamp']);

/**
 * Reads an object's head from the left edge of its lines without parsing it: a must-gather's 55 MB of YAML
 * take four seconds to parse, and a person opens little of it. Undefined for text not written the way Go's
 * writers do (one key a line, its value indented) or with values on several lines: those must be parsed.
 */
export function yamlHead(text: string): RawObject | undefined {
  const dash = /^ *- /.exec(text)?.[0];
  const base = dash?.length ?? 0;
  const own: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  let section = '';
  let inner = 0;
  for (let line = 0; line < text.length; ) {
    const next = text.indexOf('\n', line);
    const end = next < 0 ? text.length : next;
    let first = line === 0 ? base : line;
    while (text[first] === ' ') first += 1;
    const depth = first - line;
    line = end + 1;
    if (first >= end || text[first] === '#' || text[first] === '\r') continue;
    if (depth < base) return undefined;
    if (depth > base) {
      if (section !== 'metadata') continue;
      if (inner === 0) inner = depth;
      if (depth < inner) return undefined;
      if (depth > inner) continue;
    }
    // Items of a list may stand as far left as the key they belong to.
    if (text[first] === '-' && text[first + 1] === ' ' && section !== '') continue;
    const colon = text.indexOf(':', first);
    if (colon < 0 || colon >= end) return undefined;
    const key = text.slice(first, colon);
    if (!/^[A-Za-z][\w./-]*$/.test(key)) return undefined;
    if (depth === base) {
      section = key;
      const value = text.slice(colon + 1, end).trim();
      if (key === 'series' && value !== 'null') return undefined;
      if (key === 'metadata' && value !== '') return undefined;
      if (ownFields.has(key) && !take(own, key, value)) return undefined;
    } else if (metadataFields.has(key) && !take(metadata, key, text.slice(colon + 1, end).trim())) {
      return undefined;
    }
  }
  return typeof metadata.name === 'string' ? { ...own, metadata } : undefined;
}

/** A text that stands on its line; false for what may be anything else. */
function take(fields: Record<string, unknown>, key: string, value: string): boolean {
  if (value === 'null') return true;
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(value);
  // What is no number, truth value or date by itself is a text without quotes, too.
  const plain = /^[A-Za-z](?:[\w.:/-]*\w)?$|^\d[\dT:.-]+Z$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(
    value,
  );
  const isWord = /^(?:true|false|yes|no|on|off|null)$/i.test(value);
  const found = quoted?.[1] ?? quoted?.[2] ?? (plain && !isWord ? value : undefined);
  if (found === undefined) return false;
  fields[key] = Buffer.from(found).toString();
  return true;
}
