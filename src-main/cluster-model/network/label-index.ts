type Labels = Readonly<Record<string, string>>;

/** Returns whether a selector takes these labels; an empty one takes nothing. */
export function matches(selector: Labels, labels: Labels): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
}

/** Objects by namespace and label, so that a selector is tried on those alone that have its rarest label. */
export type LabelIndex<T> = {
  /** In their order. */
  select(namespace: string, selector: Labels): readonly T[];
};

/** Indexes objects by their labels. */
export function indexLabels<T>(
  items: readonly T[],
  labelsOf: (item: T) => Labels,
  namespaceOf: (item: T) => string | undefined,
): LabelIndex<T> {
  const byLabel = new Map<string, T[]>();
  for (const item of items) {
    const namespace = namespaceOf(item) ?? '';
    for (const [name, value] of Object.entries(labelsOf(item))) {
      const key = keyOf(namespace, name, value);
      const found = byLabel.get(key);
      if (found === undefined) byLabel.set(key, [item]);
      else found.push(item);
    }
  }
  return {
    select(namespace, selector) {
      let rarest: readonly T[] | undefined;
      for (const [name, value] of Object.entries(selector)) {
        const found = byLabel.get(keyOf(namespace, name, value)) ?? [];
        if (rarest === undefined || found.length < rarest.length) rarest = found;
      }
      return (rarest ?? []).filter((item) => matches(selector, labelsOf(item)));
    },
  };
}

const keyOf = (namespace: string, name: string, value: string): string => `${namespace} ${name}=${value}`;
