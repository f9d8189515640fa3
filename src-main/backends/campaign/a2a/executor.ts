import { randomUUID } from 'node:crypto';
import { type Message, type Part, Role, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type RequestContext } from '@a2a-js/sdk/server';
import type { CampaignParts } from '../parts.ts';
import { answerQuestion } from './answer-question.ts';

/** Most messages of one task, both sides counted; a conversation that goes on longer starts another. */
const mostMessages = 40;

/**
 * Default timeout for an answer, in milliseconds, so that a task that hangs does not stay in `working`
 * forever.
 */
const usualAnswerMs = 30_000;

/** The reason an answer is no longer awaited. */
type Stop = 'canceled' | 'late';

export type AgentParts = Pick<CampaignParts, 'store' | 'now' | 'log'> & {
  /** Timeout for an answer, in milliseconds. */
  readonly answerMs?: number | undefined;
};

/**
 * Answers each message as a task: an artifact that grows by a paragraph at a time, then completed; or a question back to the caller
 * (input required), which the next message of the task answers. A cancelled task ends where it is; one whose answer takes too long fails.
 */
export function campaignAgent({ store, now, log, answerMs = usualAnswerMs }: AgentParts): AgentExecutor {
  const running = new Map<string, (why: Stop) => void>();

  return {
    async execute(request, bus) {
      const { taskId, contextId } = request;
      let stop = (_why: Stop): void => undefined;
      const stopped = new Promise<Stop>((resolve) => {
        stop = resolve;
      });
      running.set(taskId, stop);
      const late = setTimeout(() => stop('late'), answerMs);
      const tell = (state: TaskState, text?: string): void =>
        bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: statusOf(request, now(), state, text),
            metadata: undefined,
          }),
        );
      try {
        bus.publish(
          AgentEvent.task({
            id: taskId,
            contextId,
            status: statusOf(request, now(), TaskState.TASK_STATE_SUBMITTED),
            artifacts: request.task?.artifacts ?? [],
            history: request.task?.history ?? [request.userMessage],
            metadata: undefined,
          }),
        );
        tell(TaskState.TASK_STATE_WORKING);
        if ((request.task?.history.length ?? 0) > mostMessages) {
          tell(
            TaskState.TASK_STATE_REJECTED,
            `This task has ${mostMessages} messages, the most one has: send the question without a task id.`,
          );
          return;
        }
        const answer = await Promise.race([
          answerQuestion(store, personOf(request), questionOf(request.userMessage)),
          stopped,
        ]);
        if (answer === 'canceled') {
          tell(TaskState.TASK_STATE_CANCELED);
          return;
        }
        if (answer === 'late') {
          log.warn({ task: taskId }, 'the campaign agent gave an answer up that took too long');
          tell(
            TaskState.TASK_STATE_FAILED,
            `The campaign agent had no answer within ${answerMs / 1000} s. Try again.`,
          );
          return;
        }
        if (answer.kind === 'question') {
          tell(TaskState.TASK_STATE_INPUT_REQUIRED, answer.text);
          return;
        }
        const artifactId = randomUUID();
        for (const [index, paragraph] of answer.paragraphs.entries()) {
          const isLast = index === answer.paragraphs.length - 1;
          bus.publish(
            AgentEvent.artifactUpdate({
              taskId,
              contextId,
              artifact: {
                artifactId,
                name: 'answer',
                description: '',
                parts: [textPart(paragraph)],
                metadata: undefined,
                extensions: [],
              },
              append: index > 0,
              lastChunk: isLast,
              metadata: undefined,
            }),
          );
        }
        tell(TaskState.TASK_STATE_COMPLETED);
      } catch (error) {
        log.error({ err: error, task: taskId }, 'the campaign agent failed');
        tell(
          TaskState.TASK_STATE_FAILED,
          'The campaign agent failed; the fault is in the log of its backend. Try again.',
        );
      } finally {
        clearTimeout(late);
        // The next message of a task may have come before this one was answered.
        if (running.get(taskId) === stop) running.delete(taskId);
      }
    },
    async cancelTask(taskId) {
      running.get(taskId)?.('canceled');
    },
  };
}

function personOf({ context }: RequestContext): string {
  if (context.user === undefined) throw new Error('A question of nobody reached the agent.');
  return context.user.userName;
}

function questionOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n');
}

function statusOf(
  { taskId, contextId }: RequestContext,
  now: number,
  state: TaskState,
  text?: string,
): TaskStatus {
  return {
    state,
    message:
      text === undefined
        ? undefined
        : {
            messageId: randomUUID(),
            contextId,
            taskId,
            role: Role.ROLE_AGENT,
            parts: [textPart(text)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          },
    timestamp: new Date(now).toISOString(),
  };
}

/** A part that is text. */
export function textPart(text: string): Part {
  return {
    content: { $case: 'text', value: text },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  };
}
