import type { z } from 'zod';
import type { labelSelector } from './kinds/fields.ts';

export type LabelSelector = z.output<typeof labelSelector>;

/** Returns whether a label selector (meta/v1 LabelSelector) selects an object with these labels; an empty one selects all. */
export function selects(
  { matchLabels, matchExpressions }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  const meets = ({ key, operator, values }: LabelSelector['matchExpressions'][number]): boolean => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      default:
        return value === undefined;
    }
  };
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(meets)
  );
}
