import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { ConnectionType } from '#shared/api/connectors.ts';
import { ConsoleError } from '#shared/errors.ts';
import { connectorFaults, type WrittenConnector, writtenConnector } from './written-connector.ts';

/** The catalogue of connectors, by type. */
export type Connectors = ReadonlyMap<string, WrittenConnector>;

let kept: Connectors | undefined;

/**
 * Reads the catalogue that comes with the console (resources/connectors), once, in the order of names. Throws when it is
 * missing, or with everything that is wrong with it.
 */
export function readConnectors(): Connectors {
  kept ??= connectorsOf(connectorFiles());
  return kept;
}

/** The connectors of files, by type. Throws with what is wrong with them, a line each. */
export function connectorsOf(files: readonly { readonly file: string; readonly text: string }[]): Connectors {
  const faults: string[] = [];
  const connectors: WrittenConnector[] = [];
  for (const { file, text } of files) {
    const read = writtenConnector.safeParse(parseYaml(text));
    if (!read.success) {
      faults.push(...read.error.issues.map(({ path, message }) => `${file}: ${path.join('.')} ${message}.`));
      continue;
    }
    const { type } = read.data;
    faults.push(...connectorFaults(read.data).map((fault) => `${file}: ${fault}`));
    if (file !== `${type}.yaml`) faults.push(`${file}: is named otherwise than its type ${type}.`);
    connectors.push(read.data);
  }
  if (faults.length > 0)
    throw new Error(`The catalogue of connectors is not as it should be.\n${faults.join('\n')}`);
  return new Map(
    connectors.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map((one) => [one.type, one]),
  );
}

/** The connector of a type. Throws `BadInput` for one that the catalogue does not have. */
export function connectorOf(connectors: Connectors, type: string): WrittenConnector {
  const found = connectors.get(type);
  if (found !== undefined) return found;
  throw new ConsoleError(
    'BadInput',
    `"${type}" is not a connection type: take one of ${[...connectors.keys()].join(', ')}.`,
  );
}

/** A connector as routes answer it: without how it is reached. */
export function shownConnector({
  endpoint: _endpoint,
  hello: _hello,
  ...shown
}: WrittenConnector): ConnectionType {
  return shown;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function connectorFiles(): { file: string; text: string }[] {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'resources', 'connectors');
    if (existsSync(folder))
      return readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
        .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    if (dirname(above) === above)
      throw new Error(
        'The catalogue of connectors that comes with the console is missing: install it again.',
      );
  }
}
