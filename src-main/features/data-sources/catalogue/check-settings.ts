import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { SettingField } from '#shared/api/connectors.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { WrittenConnector } from './written-connector.ts';

/** Labels of a DNS name, without the dot at its end; or an address. */
const hostPattern =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*$/;

/**
 * Returns the settings as they are kept: trimmed, empty ones and defaults left out. Throws `BadInput` naming the first
 * setting that its type does not know, or whose value is not one.
 */
export function checkedSettings(
  { name, settings: fields }: WrittenConnector,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const unknown = Object.keys(given).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined) throw new ConsoleError('BadInput', `${name} has no setting "${unknown}".`);
  const kept: Record<string, string> = {};
  for (const field of fields) {
    const value = given[field.name]?.trim() ?? '';
    if (value === '') {
      if (field.required) throw new ConsoleError('BadInput', `${name} needs the setting "${field.name}".`);
      continue;
    }
    const fault = settingFault(field, value);
    if (fault !== undefined) throw new ConsoleError('BadInput', `The setting "${field.name}" ${fault}.`);
    if (value !== field.default) kept[field.name] = value;
  }
  return kept;
}

/** Throws `BadInput` naming the first credential that the type does not know. */
export function checkCredentialKeys({ name, credentials }: WrittenConnector, keys: readonly string[]): void {
  const unknown = keys.find((key) => !credentials.some((field) => field.key === key));
  if (unknown !== undefined) throw new ConsoleError('BadInput', `${name} has no credential "${unknown}".`);
}

function settingFault({ kind, options, pattern }: SettingField, value: string): string | undefined {
  if (kind !== 'pem' && value.length > 2000) return 'is longer than 2,000 characters';
  switch (kind) {
    case 'host':
      return isIP(value) !== 0 || hostPattern.test(value) ? undefined : 'must be a host name or address';
    case 'port':
      return /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65_535
        ? undefined
        : 'must be a port from 1 to 65535';
    case 'choice':
      return options?.includes(value) ? undefined : `must be one of ${options?.join(', ')}`;
    case 'url':
      return urlFault(value);
    case 'pem':
      return isCertificate(value) ? undefined : 'must be a certificate in PEM';
    case 'text':
      return pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test(value)
        ? undefined
        : `must match ${pattern}`;
  }
}

function urlFault(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  // Answered to everyone who may read: what is secret belongs to the credentials.
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return url.hash === '' ? undefined : 'must not have a fragment';
}

function isCertificate(value: string): boolean {
  try {
    return new X509Certificate(value) !== undefined;
  } catch {
    return false;
  }
}
