import { wasReadWhole } from '../../../cluster-model/index.ts';
import { listingNames } from '../evidence/listings.ts';
import type { Check } from './found.ts';

/** Returns what a bundle lacks: symptoms in those parts cannot be detected. */
export const bundleGaps: Check = ({ source, listings }) => {
  if (source !== 'bundle') return [];
  const gaps = new Set(
    listingNames.flatMap((name) => (wasReadWhole(listings[name]) ? [] : listings[name].gaps)),
  );
  return [...gaps].map((text) => ({ text, ref: 'bundle' }));
};
