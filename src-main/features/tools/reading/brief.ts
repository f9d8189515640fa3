import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import { outsideText } from '../outside-text.ts';
import { answered, counted } from '../sentences.ts';
import { type Asker, type ReadingTool, type Row, readingTool, type ToolAnswer } from '../tool.ts';
import { clusterTools } from './cluster.ts';
import { consoleTools } from './console.ts';
import { deliveryTools } from './delivery.ts';
import { objectTools } from './objects.ts';

/** Lines of each part. */
const mostLines = 3;

type Part = { readonly title: string; readonly tool: string; readonly args: unknown };

/** Parts of the brief: what needs a person first, then what changed. */
const parts: readonly Part[] = [
  { title: 'Needs attention', tool: 'overview', args: {} },
  { title: 'Critical findings', tool: 'diagnose', args: { severity: 'critical' } },
  { title: 'Runs that failed since yesterday', tool: 'runs', args: { state: 'failure', since: 'yesterday' } },
  { title: 'Deliveries', tool: 'gitops', args: { state: 'failing' } },
  { title: 'Certificates', tool: 'certificates', args: { days: 14 } },
  { title: 'Agents', tool: 'agents', args: { state: 'failing' } },
  { title: 'Privileged acts since yesterday', tool: 'audit', args: { since: 'yesterday' } },
];

const others = [...clusterTools, ...objectTools, ...deliveryTools, ...consoleTools];

/** The daily brief, from the other tools. */
export const briefTool: ReadingTool = readingTool({
  name: 'brief',
  title: 'Daily brief',
  description: 'Says what changed since yesterday and what needs a person, from the other tools.',
  args: z.strictObject({}),
  reveals: 'what its parts reveal to the person who asks',
  routes: ['cluster.dashboard', 'troubleshoot.run'],
  async answer(_args, asker) {
    const answers = await Promise.all(
      parts.map(async (part) => ({ part, answer: await partOf(part, asker) })),
    );
    const rows: Row[] = [];
    const gaps: string[] = [];
    for (const { part, answer } of answers) {
      if (typeof answer === 'string') {
        gaps.push(`${part.title}: ${answer}`);
        continue;
      }
      gaps.push(...answer.gaps);
      const [page] = answer.citations;
      rows.push({
        text: `${part.title}: ${answer.head}`,
        ...(page === undefined ? {} : { address: page.address }),
      });
      rows.push(...answer.rows.slice(0, mostLines));
    }
    const read = answers.filter(({ answer }) => typeof answer !== 'string').length;
    return {
      ...answered(asker, {
        head: `${counted(read, 'part')} of ${parts.length} read.`,
        page: { tab: 'overview' },
        result: Object.fromEntries(
          answers.map(({ part, answer }) => [
            part.tool,
            typeof answer === 'string' ? { not_read: answer } : answer.result,
          ]),
        ),
      }),
      rows,
      gaps: [...new Set(gaps)],
    };
  },
});

/** The answer of a part, or why there is none: who may not see it gets the other parts. */
async function partOf({ tool, args }: Part, asker: Asker): Promise<ToolAnswer | string> {
  const found = others.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`the brief has no tool ${tool}`);
  try {
    return await found.answer(args, asker);
  } catch (error) {
    if (error instanceof ConsoleError) return outsideText(error.message);
    throw error;
  }
}
