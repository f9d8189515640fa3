import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { ConsoleError } from '#shared/errors.ts';
import { AskResponseSchema, type AskService, CitationKind } from '#shared/gen/platform/v1/ask_pb.js';
import { createSlidingLimit } from '../../base/sliding-limit.ts';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
import type { Inference } from '../../sources/inference/index.ts';
import type { AskRoutes } from '../tools/index.ts';
import { type AnswerPart, answerFrom } from './answer.ts';
import { type EvidenceParts, gatherEvidence } from './evidence.ts';

type Parts = EvidenceParts & {
  readonly gate: RpcGate;
  readonly askerOf: AskRoutes;
  readonly inference: () => Inference | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

const longestQuestion = 2000;
/** Questions of one session within a minute: each reads the cluster, and may ask the model. */
const mostQuestions = 30;

const kinds = {
  page: CitationKind.PAGE,
  object: CitationKind.OBJECT,
  log: CitationKind.LOG,
  audit: CitationKind.AUDIT,
  document: CitationKind.DOCUMENT,
} as const;

/** platform.v1.AskService: answers with the places they are from (CON-158). */
export function askService({
  gate,
  askerOf,
  inference,
  now,
  ...parts
}: Parts): ServiceImpl<typeof AskService> {
  const limit = createSlidingLimit({ most: mostQuestions, windowMs: 60_000, now });
  return {
    ask: ({ question, target }, context) =>
      gate.readStream(context, async function* ({ caller, address, signal }) {
        const text = question.trim();
        if (text === '' || text.length > longestQuestion)
          throw new ConsoleError('BadInput', `question must have 1 to ${longestQuestion} characters.`);
        const key = caller.sessionId ?? address;
        const wait = limit.waitOf(key);
        if (wait !== undefined)
          throw new ConsoleError(
            'TooManyRequests',
            `Too many questions: try again in ${Math.ceil(wait / 1000)} s.`,
          );
        limit.count(key);
        const asker = askerOf({ caller, target: target === '' ? undefined : target, signal });
        const gathered = await gatherEvidence(text, asker, parts);
        for await (const part of answerFrom(text, gathered, inference(), signal))
          yield create(AskResponseSchema, { part: partOf(part) });
      }),
  };
}

function partOf(part: AnswerPart): NonNullable<MessageInitShape<typeof AskResponseSchema>['part']> {
  switch (part.kind) {
    case 'text':
      return { case: 'text', value: part.text };
    case 'citation': {
      const { kind, label, address, quote, file, line } = part.evidence.place;
      return {
        case: 'citation',
        value: {
          number: part.number,
          kind: kinds[kind],
          label,
          address,
          quote: quote ?? '',
          file: file ?? '',
          line: line ?? 0,
        },
      };
    }
    case 'done':
      return {
        case: 'done',
        value: {
          writtenBy: part.writtenBy,
          hasEvidence: part.hasEvidence,
          notSearched: [...part.notSearched],
        },
      };
  }
}
