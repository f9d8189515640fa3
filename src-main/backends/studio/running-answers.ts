import { Code, ConnectError } from '@connectrpc/connect';

/** Most answers one person has running at once, over all chats. */
const mostPerPerson = 8;

/** The answers being written now: one per chat, so that two never mix, and a bounded number per person. */
export type RunningAnswers = ReturnType<typeof runningAnswers>;

/** Keeps track of the running answers; `drained` tells a closing server when the last one is stored. */
export function runningAnswers() {
  const chats = new Set<string>();
  const people = new Map<string, number>();
  const waiting: (() => void)[] = [];

  return {
    /**
     * Takes the chat's one place and answers the function that gives it back (calling it twice does nothing).
     * Throws FAILED_PRECONDITION when the chat is answering, RESOURCE_EXHAUSTED when the person has too many running.
     */
    begin(owner: string, chatId: string): () => void {
      const key = JSON.stringify([owner, chatId]);
      const running = people.get(owner) ?? 0;
      if (chats.has(key)) {
        throw new ConnectError(
          'This chat is still answering your last message: wait for the answer to end, or stop it, then send again.',
          Code.FailedPrecondition,
        );
      }
      if (running >= mostPerPerson) {
        throw new ConnectError(
          `You have ${mostPerPerson} answers running: wait for one to end, or stop one, then send again.`,
          Code.ResourceExhausted,
        );
      }
      chats.add(key);
      people.set(owner, running + 1);
      let released = false;
      return () => {
        // The place may be another answer's by now: a second call must not give that one away.
        if (released) return;
        released = true;
        chats.delete(key);
        const left = (people.get(owner) ?? 1) - 1;
        if (left === 0) people.delete(owner);
        else people.set(owner, left);
        if (chats.size === 0) for (const tell of waiting.splice(0)) tell();
      };
    },

    /** Resolves once no answer is running. */
    drained(): Promise<void> {
      return chats.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
