import { allTools } from '../tools/index.ts';
import { examples } from './grammar/examples.ts';

/** What can be asked, one line for each tool. */
export function helpText(): string {
  const line = (name: string, title: string): string => `- ${title}: ${(examples[name] ?? []).join('; ')}`;
  const of = (kind: 'read' | 'act'): string[] =>
    allTools.filter((tool) => tool.kind === kind).map(({ name, title }) => line(name, title));
  return [
    'Ask for one thing in each message. Names stand as they are; add "in namespace NAME" to narrow.',
    ...of('read'),
    'These change something. Each shows what it would do, and is carried out on: confirm CODE',
    ...of('act'),
  ].join('\n');
}
