import type { KnownNames, Slot, Slots } from './read-message.ts';

/** One form of a question: the concepts it needs, those it may have besides, and the values it takes. */
export type Rule = {
  readonly tool: string;
  readonly needs: readonly string[];
  readonly may?: readonly string[];
  /** Values it cannot do without. */
  readonly takes?: readonly Slot[];
  /** Values it can have besides. */
  readonly might?: readonly Slot[];
  /** False for values that do not fit, such as a name that is not a node's. */
  readonly when?: (slots: Slots, known: KnownNames) => boolean;
  readonly args?: (slots: Slots) => Record<string, unknown>;
};

/** Arguments of a value that a message has. */
export const ns = ({ namespace }: Slots) => (namespace === undefined ? {} : { namespace });
/** Arguments of a value that a message has. */
export const kind = ({ kind: of }: Slots) => (of === undefined ? {} : { kind: of });
/** Arguments of a value that a message has. */
export const since = ({ since: from }: Slots) => (from === undefined ? {} : { since: from });
/** Arguments of a value that a message has. */
export const repo = ({ repo: of }: Slots) => (of === undefined ? {} : { repo: of });
