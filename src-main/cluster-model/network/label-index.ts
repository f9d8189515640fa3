type Labels = Readonly<Record<string, string>>;

/** Returns whether a selector takes these labels; an empty one takes nothing. */
export function matches(selector: Labels, labels: Labels): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
}

/** Objects by label, so that a selector is tried on those alone that have its rarest label. */
export type LabelIndex<T> = {
  /** In their order. */
  select(selector: Labels): readonly T[];
  /** Objects that selectors were tried on so far. */
  readonly looks: number;
};

/** Indexes objects by their labels. */
export function indexLabels<T>(items: readonly T[], labelsOf: (item: T) => Labels): LabelIndex<T> {
  const byName = new Map<string, Map<string, T[]>>();
  for (const item of items) {
    const labels = labelsOf(item);
    for (const name in labels) {
      const byValue = byName.get(name) ?? new Map<string, T[]>();
      if (byValue.size === 0) byName.set(name, byValue);
      const value = labels[name] ?? '';
      const found = byValue.get(value);
      if (found === undefined) byValue.set(value, [item]);
      else found.push(item);
    }
  }
  let looks = 0;
  return {
    select(selector) {
      let rarest: readonly T[] | undefined;
      for (const [name, value] of Object.entries(selector)) {
        const found = byName.get(name)?.get(value) ?? [];
        if (rarest === undefined || found.length < rarest.length) rarest = found;
      }
      if (rarest === undefined) return [];
      looks += rarest.length;
      return rarest.filter((item) => matches(selector, labelsOf(item)));
    },
    get looks() {
      return looks;
    },
  };
}
