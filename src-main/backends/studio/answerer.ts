/** One message of the conversation an answer is made from. */
export type Turn = { readonly role: 'person' | 'studio'; readonly text: string };

/** The conversation an answer is made from. The last turn is the person's new message. */
export type Conversation = {
  /** The app the chat is about; empty when it names none yet. */
  readonly app: string;
  readonly turns: readonly Turn[];
};

/** The source of answers: a model behind an endpoint, or the built-in planner. */
export type Answerer = {
  /** Shown to the person as who answered. */
  readonly name: string;
  /**
   * The answer, piece by piece. Ends with a throw when `signal` aborts or the answer cannot be had; every piece
   * yielded before stands.
   */
  answer(conversation: Conversation, signal: AbortSignal): AsyncIterable<string>;
};
