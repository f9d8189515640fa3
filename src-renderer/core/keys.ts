/**
 * Key bindings as data. A binding is written as it is pressed: `r`, `[`, `g s` (one after the other) or `mod+k`
 * (Ctrl, or Cmd on a Mac).
 */

/** Milliseconds for which the first key of a sequence is remembered. */
export const pairTimeoutMs = 1200;

/** A key press, as much of it as matters. */
export type Stroke = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True when the press goes into an input, or a dialog or menu is open: single keys are off there. */
  readonly busy: boolean;
};

export type KeyOutcome = {
  /** The binding that was completed. */
  readonly hit?: string;
  /** The first key of a pair, waiting for its second. */
  readonly pending?: string;
};

/** Resolves a key press, given the previous key. Completing a sequence takes precedence over a single key. */
export function nextKey(
  pending: string | undefined,
  stroke: Stroke,
  bindings: readonly string[],
): KeyOutcome {
  if (stroke.altKey) return {};
  if (stroke.ctrlKey || stroke.metaKey) {
    const combined = `mod+${stroke.key.toLowerCase()}`;
    return bindings.includes(combined) ? { hit: combined } : {};
  }
  if (stroke.busy || stroke.key.length !== 1) return {};
  const pair = pending === undefined ? undefined : `${pending} ${stroke.key}`;
  if (pair !== undefined && bindings.includes(pair)) return { hit: pair };
  if (bindings.includes(stroke.key)) return { hit: stroke.key };
  return bindings.some((binding) => binding.startsWith(`${stroke.key} `)) ? { pending: stroke.key } : {};
}

/** The caps to draw for a binding, such as `Ctrl` `K`. */
export function keyCaps(binding: string, mac: boolean): readonly string[] {
  return binding.split(/[ +]/).map((part) => {
    if (part === 'mod') return mac ? '⌘' : 'Ctrl';
    return binding.startsWith('mod+') && part.length === 1 ? part.toUpperCase() : part;
  });
}

/** The index after a move of `step` in a list of `count`; a list without a place starts at its near end. */
export function movedIndex(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (current < 0) return step === 1 ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, current + step));
}
