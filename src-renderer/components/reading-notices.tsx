import type { Reading } from '#shared/api/reading.ts';
import { sentenceOf } from '../core/failure.ts';
import type { SourceQuery } from './answer-view.tsx';
import { Banner } from './banner.tsx';
import { Glyph } from './glyph.tsx';
import css from './reading-notices.module.css';
import { WithCode } from './with-code.tsx';

/** Reasons written out; the coverage chip has them all. */
const mostReasons = 2;

type ReadingNoticesProps = {
  readonly query: SourceQuery<Reading>;
  /** Reasons that the page already says where they belong, such as of a column that was not read. */
  readonly saidElsewhere?: (reason: string) => boolean;
};

/** Shows notices above content that was read only in part or could not be refreshed. */
export function ReadingNotices({ query, saidElsewhere = () => false }: ReadingNoticesProps) {
  const { data, error } = query;
  if (data === undefined || data.source === 'unavailable') return null;
  const reasons = data.complete ? [] : data.unmeasured.filter((reason) => !saidElsewhere(reason));
  if (reasons.length === 0 && error === null) return null;
  const more = reasons.length - mostReasons;
  return (
    <div className={css.notices}>
      {reasons.length > 0 && (
        <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
          <WithCode>{reasons.slice(0, mostReasons).join(' ')}</WithCode>
          {more > 0 && ` And ${more} more; see the coverage at the top right.`}
        </Banner>
      )}
      {error !== null && (
        <Banner look="unread" icon={<Glyph state="unknown" />} title="Could not refresh.">
          {sentenceOf(error)} Showing the last data read.
        </Banner>
      )}
    </div>
  );
}
