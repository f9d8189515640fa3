import { isRecord, type RawObject } from './kinds/types.ts';

/** As troubleshoot writes it: a reader shows the value as redacted, not as unset. */
export const hidden = '***HIDDEN***';

/** Names of variables, and of keys of ConfigMaps, whose values are credentials. */
const credentialName = /(?:pass(?:word|wd|phrase)?|secret|token|credentials?|(?:^|[-_.])(?:[a-z]+)?key)$/i;
/** Fields of objects whose values are: not `key`, `secretName` and the like, which only name something. */
const credentialField =
  /(?:password|passwd|passphrase|clientSecret|apiKey|accessKey|secretKey|privateKey|accessToken|refreshToken|bearerToken)$|^token$/i;
const credentialArgument =
  /^(--?[\w-]*(?:password|passwd|secret|token|api-?key|access-?key|private-?key)[\w-]*=).+/i;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * An object without its credentials. Of Secrets every value is replaced by its length but certificates, which are no
 * secret; keys stay, and what is empty is, so that it can be told what there is. Elsewhere: values of variables and settings that are called like
 * credentials, credentials in addresses and arguments, and private keys.
 */
export function redactObject(object: RawObject): RawObject {
  const redacted = redactFields(object);
  if (object.kind === 'Secret') return redactSecret(object, redacted);
  return object.kind === 'ConfigMap' && isRecord(redacted.data)
    ? { ...redacted, data: redactSettings(redacted.data) }
    : redacted;
}

/** The value of a variable, `***HIDDEN***` when its name is that of a credential. */
export function redactValue(name: string, value: string): string {
  return value !== '' && credentialName.test(name) ? hidden : redactText(value);
}

/** A text without credentials in addresses and headers, and without private keys. */
export function redactText(text: string): string {
  // Most texts hold none: looking for what all of the patterns need is ten times quicker.
  if (!text.includes('://') && !text.includes('-----BEGIN') && !/bearer/i.test(text)) return text;
  return text
    .replace(/(:\/\/[^\s:/@"']*:)[^\s/@"']+(?=@)/g, `$1${hidden}`)
    .replace(/(\bbearer\s+)[\w.~+/=-]{12,}/gi, `$1${hidden}`)
    .replace(/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g, `$1${hidden}`);
}

function redactFields(object: RawObject): RawObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, redactField(name, value)]));
}

function redactField(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    if (name === lastApplied) return redactJson(value);
    return credentialField.test(name) ? hidden : redactText(value);
  }
  if (Array.isArray(value)) {
    if (name === 'env') return value.map(redactVariable);
    if (name === 'args' || name === 'command') return value.map(redactArgument);
    return value.map((item) => redactField('', item));
  }
  return isRecord(value) ? redactFields(value) : value;
}

function redactSettings(data: RawObject): RawObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, credentialName.test(key) ? hidden : value]),
  );
}

/** Variables are recognized by the name beside their value. */
function redactVariable(variable: unknown): unknown {
  if (!isRecord(variable)) return variable;
  const isCredential = typeof variable.name === 'string' && credentialName.test(variable.name);
  return isCredential && typeof variable.value === 'string' && variable.value !== ''
    ? { ...variable, value: hidden }
    : redactFields(variable);
}

function redactArgument(argument: unknown): unknown {
  return typeof argument === 'string'
    ? redactText(argument.replace(credentialArgument, `$1${hidden}`))
    : argument;
}

/** Redacts kubectl's last-applied-configuration, which repeats the whole object as JSON text. */
function redactJson(text: string): string {
  try {
    const object: unknown = JSON.parse(text);
    return isRecord(object) ? JSON.stringify(redactObject(object)) : hidden;
  } catch {
    return hidden;
  }
}

function redactSecret(original: RawObject, redacted: RawObject): RawObject {
  const result: Record<string, unknown> = { ...redacted };
  if (isRecord(original.data)) {
    result.data = Object.fromEntries(
      Object.entries(original.data).map(([key, value]) => [
        key,
        isCertificate(value) ? value : elidedValue(value),
      ]),
    );
  }
  if (isRecord(original.stringData))
    result.stringData = Object.fromEntries(
      Object.entries(original.stringData).map(([key, value]) => [key, value === '' ? '' : hidden]),
    );
  return result;
}

/** A value's length in its place, as must-gather leaves it. */
function elidedValue(value: unknown): string {
  if (value === '') return '';
  const { length } = Buffer.from(String(value), 'base64');
  return Buffer.from(`${length} bytes long`).toString('base64');
}

function isCertificate(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = Buffer.from(value, 'base64').toString('latin1').trimStart();
  return text.startsWith('-----BEGIN CERTIFICATE-----') && !text.includes('PRIVATE KEY');
}
