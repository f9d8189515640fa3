import type { Reading } from '#shared/api/reading.ts';
import { Coverage } from './coverage.tsx';

type ReadingCoverageProps = {
  /** Undefined until it is read. */
  readonly reading: Reading | undefined;
  /** Label of a complete reading, where the page has more than the reading. */
  readonly whole?: string;
};

/** The coverage chip of a page that is one reading: each reason is one read that is missing. */
export function ReadingCoverage({ reading, whole = 'All data loaded' }: ReadingCoverageProps) {
  if (reading === undefined) return null;
  const { complete, source, unmeasured } = reading;
  if (complete) return <Coverage read={1} total={1} label={whole} unmeasured={unmeasured} />;
  const missing = Math.max(1, unmeasured.length);
  const label = source === 'unavailable' ? 'Not read' : `${missing.toLocaleString('en')} not read`;
  const read = source === 'unavailable' ? 0 : 1;
  return <Coverage read={read} total={missing + read} label={label} unmeasured={unmeasured} />;
}
