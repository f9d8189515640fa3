import { campaignVariables } from '../../src-main/backends/campaign/variables.ts';
import { cockpitVariables } from '../../src-main/backends/cockpit/variables.ts';
import type { BackendVariable } from '../../src-main/backends/serving/index.ts';
import { studioVariables } from '../../src-main/backends/studio/variables.ts';

/** The variables of every backend, by the name of its command. */
export const backendVariables: Readonly<Record<string, readonly BackendVariable[]>> = {
  campaign: campaignVariables,
  cockpit: cockpitVariables,
  studio: studioVariables,
};

/** The line of docs/backends.md after which it is generated. */
const marker = /^<!-- The rest is written by npm run docs .*-->\n/m;

/**
 * Returns docs/backends.md with its tables regenerated; text written by people is kept. Throws when it has
 * lost the line between the two.
 */
export function backendsPage(page: string): string {
  const found = marker.exec(page);
  if (found === null) throw new Error('docs/backends.md has lost its line about npm run docs.');
  return page.slice(0, found.index + found[0].length) + tables();
}

function tables(): string {
  const sections = Object.entries(backendVariables).map(
    ([name, variables]) => `### \`backend ${name}\`

| variable | type | default | what it does |
|---|---|---|---|
${variables.map((each) => row(each)).join('\n')}
`,
  );
  return `
## Variables

Read from the environment at start and trimmed; empty counts as unset unless
the row says otherwise. \`CONSOLE_LOG_LEVEL\` is as in [configuration.md](configuration.md).

${sections.join('\n')}`;
}

function row({ name, type, secret, sentence, ...rest }: BackendVariable): string {
  const value = rest.default === '' ? rest.otherwise || 'unset' : `\`${rest.default}\``;
  return `| \`${name}\` | ${type.replaceAll('|', '\\|')}${secret ? ', secret' : ''} | ${value} | ${sentence} |`;
}
