import type { AgentConfig } from '#shared/api/code-host.ts';

export type Agent = AgentConfig['agents'][number];
export type BiasRule = Agent['bias_rules'][number];

/** A repository whose file was read, with the agents that a search leaves. */
export type ConfiguredRepo = { readonly config: AgentConfig; readonly agents: readonly Agent[] };

/** The answer as the page shows it. */
export type ConfigModel = {
  /** Those with mistakes first, then by name. */
  readonly repos: readonly ConfiguredRepo[];
  /** Names of repositories without the file. */
  readonly without: readonly string[];
  /** Names of repositories whose file was not read. */
  readonly unread: readonly string[];
};

/** Sorts the repositories, and leaves of each what a search leaves; an empty search leaves everything. */
export function configModel(items: readonly AgentConfig[], q: string): ConfigModel {
  const named = (file: AgentConfig['file']): readonly string[] =>
    items
      .filter((item) => item.file === file)
      .map(({ repo }) => repo)
      .sort();
  return {
    repos: items
      .filter(({ file }) => file === 'read')
      .map((config) => ({ config, agents: config.agents.filter((agent) => matches(agent, q)) }))
      .filter(({ config, agents }) => q === '' || agents.length > 0 || includes(config.repo, q))
      .sort(
        (a, b) =>
          Number(b.config.errors.length > 0) - Number(a.config.errors.length > 0) ||
          a.config.repo.localeCompare(b.config.repo),
      ),
    without: named('none'),
    unread: named('unread'),
  };
}

function matches(agent: Agent, q: string): boolean {
  const { name, family, description, model, schedule, workflow, settings, bias_rules } = agent;
  const rules = bias_rules.flatMap(({ id, rule, severity, applies_to }) => [
    id,
    rule,
    severity,
    ...applies_to,
  ]);
  const texts = [
    name,
    family,
    description,
    model,
    schedule,
    workflow,
    ...Object.entries(settings).flat(),
    ...rules,
  ];
  return q === '' || texts.some((text) => text !== undefined && includes(text, q));
}

const includes = (text: string, q: string): boolean => text.toLowerCase().includes(q.toLowerCase());

/** One row of the list: a repository, or an agent of the open one. */
export type ConfigRow = { readonly repo: string; readonly agent?: string };

/** The rows of the list from top to bottom; the agents of the open repository stand below it. */
export function configRows(repos: readonly ConfiguredRepo[], open: string | undefined): readonly ConfigRow[] {
  return repos.flatMap(({ config: { repo }, agents }) => [
    { repo },
    ...(repo === open ? agents.map(({ name }) => ({ repo, agent: name })) : []),
  ]);
}

/** A line of the file on the code host, at the commit it was read at. */
export function lineAddress({ url }: AgentConfig, line: number): string {
  return `${url}#L${line}`;
}
