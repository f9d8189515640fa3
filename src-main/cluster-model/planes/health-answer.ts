import type { HealthAnswer } from '#shared/api/cluster.ts';
import type { HttpRead } from '../kinds/types.ts';
import { clipped, timeOf } from '../text.ts';

type Check = NonNullable<HealthAnswer['checks']>[number];

/**
 * Parses the answer of a health endpoint (BCK-009: 200 passes; the names of a check's fields are not
 * promised).
 */
export function healthAnswerOf(path: string, read: HttpRead): HealthAnswer {
  if (read.state === 'unread')
    return { path, state: 'not_read', detail: clipped(`${path} was not read: ${read.reason}`) };
  const { status } = read;
  const body = parsed(read.body);
  const checks = checksOf(body);
  const text = typeof body?.status === 'string' ? ` ${body.status}` : '';
  const passed = status >= 200 && status < 300;
  const failed = checks.filter((check) => check.status === 'fail').map(({ name }) => name);
  return {
    path,
    // The proxy of the API server answers 503 itself when no endpoint is ready: either way it is not serving.
    state: passed ? 'pass' : 'fail',
    status,
    detail: `${path} answered ${status}${text}${failed.length > 0 ? `; failing: ${failed.join(', ')}` : ''}${passed ? '' : reasonOf(body)}`,
    ...(checks.length > 0 ? { checks } : {}),
    ...(typeof body?.model_ready === 'boolean' ? { model_ready: body.model_ready } : {}),
  };
}

type Fields = { readonly [field: string]: unknown };

function parsed(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message of a Status of the API server's own. */
function reasonOf(body: Fields | undefined): string {
  return body?.kind === 'Status' && typeof body.message === 'string' ? clipped(`: ${body.message}`) : '';
}

/** Checks as a list of objects with a name, or as an object by name. */
function checksOf(body: Fields | undefined): Check[] {
  const { checks } = body ?? {};
  if (Array.isArray(checks))
    return checks.flatMap((entry: unknown) => {
      if (!isFields(entry)) return [];
      const name = [entry.name, entry.check, entry.id].find((value) => typeof value === 'string');
      return typeof name === 'string' ? [checkOf(name, entry)] : [];
    });
  return isFields(checks) ? Object.entries(checks).map(([name, entry]) => checkOf(name, entry)) : [];
}

const passing = /^(pass(ed|ing)?|ok|ready|healthy|true|up|alive)$/i;
const resultFields = ['status', 'state', 'result', 'ok', 'passed', 'healthy'];
const named = new Set([...resultFields, 'name', 'check', 'id', 'detail', 'message', 'reason', 'error']);

function checkOf(name: string, entry: unknown): Check {
  if (!isFields(entry)) return { name, status: statusOf(entry) };
  const result = resultFields.map((field) => entry[field]).find((value) => value !== undefined);
  const said = [entry.detail, entry.message, entry.reason, entry.error].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  const expiry = Object.entries(entry).find(
    ([field, value]) => expiryField.test(field) && typeof value === 'string' && timeOf(value) !== undefined,
  );
  const expires_at = timeOf(typeof expiry?.[1] === 'string' ? expiry[1] : undefined);
  const more = Object.entries(entry)
    .filter(
      ([field, value]) =>
        !named.has(field) && field !== expiry?.[0] && ['string', 'number', 'boolean'].includes(typeof value),
    )
    .map(([field, value]) => `${field.replaceAll('_', ' ')} ${String(value)}`);
  const detail = clipped(withoutDate([...said, ...more].join(', '), expires_at));
  return {
    name,
    status: statusOf(result),
    ...(detail === '' ? {} : { detail }),
    ...(expires_at === undefined ? {} : { expires_at }),
  };
}

/** The date under which the expiry of the mesh CA comes: its name is not promised. */
const expiryField = /(^|_)(expires|expires_at|expiry|expiry_date|not_after)$/;

/** Returns a detail without the sentence `CA expires <date>.` when that date is reported separately. */
function withoutDate(detail: string, expiresAt: string | undefined): string {
  const message = /(?:^|\s)CA expires (\S+?)\.?$/.exec(detail);
  return message !== null && expiresAt !== undefined && timeOf(message[1]) === expiresAt
    ? detail.slice(0, message.index)
    : detail;
}

function statusOf(result: unknown): Check['status'] {
  const status = String(result);
  if (/^skip/i.test(status)) return 'skipped';
  return passing.test(status) ? 'pass' : 'fail';
}
