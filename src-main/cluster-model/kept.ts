/**
 * Results computed from objects. A cluster replaces an object when it changes and never alters one, so a result of the same
 * objects still holds, and a change costs the changed object's result alone.
 */
export type Kept = {
  /** Returns what was last made under a name, if it was made of the same inputs. */
  recall<T extends object>(anchor: object, name: string, inputs: readonly unknown[]): T | undefined;
  /** Keeps what was made as long as `anchor`, one of the objects it was made of. */
  remember<T extends object>(anchor: object, name: string, inputs: readonly unknown[], made: T): T;
};

export const keepNothing: Kept = {
  recall: () => undefined,
  remember: (_anchor, _name, _inputs, made) => made,
};

/** Returns what was made of the same inputs before, else makes it. */
export function keep<T extends object>(
  kept: Kept,
  anchor: object,
  name: string,
  inputs: readonly unknown[],
  make: () => T,
): T {
  return kept.recall<T>(anchor, name, inputs) ?? kept.remember(anchor, name, inputs, make());
}
