import { RouteRefused } from '../../serving/index.ts';

/** Most fields of a form; a message of the provider has about 40. */
const mostFields = 200;

/**
 * The fields of a form (application/x-www-form-urlencoded, WHATWG URL, 5.1). A name that is given several times has all its values, as
 * the provider's signature is made over them. Throws 400 for what is not UTF-8 or has too many fields.
 */
export function readForm(body: Buffer): Record<string, string | string[]> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new RouteRefused(400, 'The form is not in UTF-8.');
  }
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > mostFields) throw new RouteRefused(400, `The form has more than ${mostFields} fields.`);
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(fields);
}
