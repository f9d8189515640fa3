import { type Asker, type ReadingTool, readingTools } from '../tools/index.ts';
import { possibleNames, understand } from './grammar/understand.ts';
import { knownNames } from './known-names.ts';

/** Returns the reading tool that a question asks for, by the grammar alone; undefined where it asks for none. */
export type CallOfQuestion = (
  question: string,
  asker: Asker,
) => Promise<{ readonly tool: ReadingTool; readonly args: Readonly<Record<string, unknown>> } | undefined>;

export const callOfQuestion: CallOfQuestion = async (question, asker) => {
  const understood = understand(question, await knownNames(possibleNames(question), asker));
  if (understood.state !== 'call') return undefined;
  const { call } = understood;
  const tool = readingTools.find(({ name }) => name === call.tool);
  return tool === undefined ? undefined : { tool, args: call.args };
};
