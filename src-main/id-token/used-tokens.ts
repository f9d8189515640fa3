/** The tokens that signed somebody in, so that each does once. */
export type UsedTokens = {
  /** Takes the use of a token, by its digest, to be remembered until `until` (epoch ms). False when it was taken before. */
  take(id: string, until: number): Promise<boolean>;
};

/** Remembers used tokens in this process; each is one the issuer signed, so nobody can fill its memory. */
export function createUsedTokens(now: () => number): UsedTokens {
  const used = new Map<string, number>();
  return {
    async take(id, until) {
      const at = now();
      for (const [other, end] of used) if (end < at) used.delete(other);
      if (used.has(id)) return false;
      used.set(id, until);
      return true;
    },
  };
}
