import type { AgentConfig } from '../../../src-shared/api/code-host.ts';
import { shaOf } from './delivery-answers.ts';

type Agent = AgentConfig['agents'][number];

const host = 'https://code.example/northgate';
const path = '.platform/agents.yaml';

/** An agent with two rules and a setting. */
export const agentOf = (name: string, line: number, over: Partial<Agent> = {}): Agent => ({
  name,
  family: 'review',
  enabled: true,
  model: 'reader-2',
  settings: { max_findings: '20' },
  bias_rules: [
    { id: 'no-blame', rule: 'Judge the change, never its author.', severity: 'error', applies_to: ['all'] },
    { id: 'language', rule: 'Do not judge the English of comments.', applies_to: [] },
  ],
  line,
  ...over,
});

/** A repository's file that was read. */
export const fileOf = (repo: string, agents: Agent[], errors: AgentConfig['errors'] = []): AgentConfig => ({
  repo,
  path,
  url: `${host}/${repo}/blob/${shaOf('a')}/${path}`,
  commit: shaOf('a'),
  file: 'read',
  agents,
  errors,
});

/** A repository that has no file, or whose file was not read. */
export const noFileOf = (repo: string, file: 'none' | 'unread'): AgentConfig => ({
  ...fileOf(repo, []),
  file,
});
