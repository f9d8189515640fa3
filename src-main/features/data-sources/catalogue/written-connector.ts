import { z } from 'zod';
import { connectionType } from '#shared/api/connectors.ts';

/** Text with the names of settings in braces, such as `{host}`. */
const template = z.string().min(1);

/**
 * A connector as a file of `resources/connectors` has it: what routes answer, and how to reach it. A setting named `tls`
 * holds the TLS mode of an endpoint that upgrades, one named `ca_certificate` the authority to trust.
 */
export const writtenConnector = connectionType
  .extend({
    endpoint: z.union([
      z.strictObject({ url: template }),
      z.strictObject({ host: template, port: template, tls: z.enum(['upgrade', 'none']) }),
    ]),
    hello: z
      .strictObject({
        path: template.optional(),
        bucket: template.optional(),
        user: template.optional(),
        database: template.optional(),
      })
      .default({}),
  })
  .strict();
export type WrittenConnector = z.infer<typeof writtenConnector>;

/** Returns what is wrong with a connector beyond its shape, a sentence each. */
export function connectorFaults({ settings, credentials, endpoint, hello }: WrittenConnector): string[] {
  const faults: string[] = [];
  const names = [...settings.map(({ name }) => name), ...credentials.map(({ key }) => key)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) faults.push(`${twice} is declared twice.`);
  for (const { name, kind, options, pattern, default: fallback } of settings) {
    if ((kind === 'choice') !== (options !== undefined)) faults.push(`${name}: only a choice has options.`);
    if (fallback !== undefined && options !== undefined && !options.includes(fallback))
      faults.push(`${name}: its default is not among its options.`);
    if (pattern !== undefined && !isPattern(pattern)) faults.push(`${name}: its pattern cannot be read.`);
  }
  for (const text of [...Object.values(endpoint), ...Object.values(hello)].filter(
    (one) => one !== undefined,
  )) {
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) {
      const setting = settings.find((other) => other.name === name);
      if (setting === undefined) faults.push(`{${name}} is no setting.`);
      else if (!setting.required && setting.default === undefined)
        faults.push(`{${name}} may be missing: make it required, or give it a default.`);
    }
  }
  return faults;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}
