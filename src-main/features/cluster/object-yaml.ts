import { stringify } from 'yaml';
import type { RawObject } from '../../cluster-model/index.ts';

/** An object as YAML for a person: without what only machines keep in it, a Secret's values as their length. */
export function objectYaml(object: RawObject): string {
  const { metadata, ...rest } = object;
  const masked = object.kind === 'Secret' ? maskedSecret(rest) : rest;
  const { apiVersion, kind, ...body } = masked;
  return stringify(
    { apiVersion, kind, metadata: cleanMetadata(metadata), ...body },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function cleanMetadata(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata;
  const { managedFields: _, annotations, ...rest } = metadata;
  if (!isObject(annotations)) return rest;
  // It repeats the object, a Secret's values in clear.
  const { [lastApplied]: __, ...kept } = annotations;
  return Object.keys(kept).length === 0 ? rest : { ...rest, annotations: kept };
}

function maskedSecret(secret: RawObject): RawObject {
  const masked: Record<string, unknown> = { ...secret };
  if (isObject(secret.data)) masked.data = maskedValues(secret.data, 'base64');
  if (isObject(secret.stringData)) masked.stringData = maskedValues(secret.stringData, 'utf8');
  return masked;
}

/** The marks that the troubleshooter and older captures leave in place of a value. */
const hidden = '***HIDDEN***';

/** must-gather, and a capture, leave a value's length in its place. */
const elided = /^(\d+) bytes long$/;

function maskedValues(values: RawObject, encoding: 'base64' | 'utf8'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'string' || value === hidden) return [key, '(redacted)'];
      const bytes = Buffer.from(value, encoding);
      const text = bytes.toString('latin1');
      if (text === hidden) return [key, '(redacted)'];
      const [, length = String(bytes.length)] = elided.exec(text) ?? [];
      return [key, `(${length} bytes)`];
    }),
  );
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
