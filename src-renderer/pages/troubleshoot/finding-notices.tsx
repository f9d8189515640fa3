import { Button } from '@mantine/core';
import { Banner } from '../../components/banner.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { IconClipboardText } from '../../core/icons/icons.ts';
import css from './troubleshoot-page.module.css';
import type { DiagnosedTarget, Diagnosis } from './use-diagnosis.ts';
import type { FindingList } from './use-finding-list.ts';
import type { TextExplanation } from './use-text-explanation.ts';

type FindingNoticesProps = {
  readonly list: FindingList;
  readonly diagnosis: Diagnosis;
  readonly explanation: TextExplanation;
  readonly target: DiagnosedTarget | undefined;
};

/** Shows notices above a finding: failed refreshes, cancellations, results of a pasted text. */
export function FindingNotices({ list, diagnosis, explanation, target }: FindingNoticesProps) {
  const { report, error, running, work, start } = diagnosis;
  // Where nothing else is shown, it says so itself.
  const beside = list.all.length > 0;
  const stopped = !running && work?.stopped === true;
  return (
    <div className={css.notices}>
      <ReadingNotices
        query={{ data: report, error, isFetching: running, refetch: start }}
        // Each kind of evidence that was not read is told where it was looked for.
        saidElsewhere={() => report !== undefined && report.not_checked.length > 0}
      />
      {beside && report === undefined && error !== null && (
        <Banner
          look="failing"
          urgent
          icon={<Glyph state="failing" />}
          title={`${target?.name ?? 'The target'} was not fully diagnosed.`}
        >
          {sentenceOf(error)}
        </Banner>
      )}
      {stopped && (beside || report !== undefined) && (
        <Banner
          look="note"
          icon={<Glyph state="idle" />}
          title="The diagnosis was cancelled."
          action={
            <Button size="xs" onClick={start}>
              Diagnose again
            </Button>
          }
        >
          {report === undefined
            ? 'The findings up to then are shown; the rest was not checked.'
            : 'Showing the previous diagnosis.'}
        </Banner>
      )}
      {beside && report?.source === 'unavailable' && (
        <Banner
          look="unread"
          icon={<Glyph state="unknown" />}
          title={`${target?.name ?? 'The target'} could not be diagnosed.`}
        >
          {report.unmeasured.join(' ')}
        </Banner>
      )}
      <TextNotice explanation={explanation} list={list} />
    </div>
  );
}

/** Shows the result of the pasted text, with a button to dismiss it. */
function TextNotice({ explanation, list }: Pick<FindingNoticesProps, 'explanation' | 'list'>) {
  const { report, forget } = explanation;
  if (report === undefined) return null;
  const { findings, symptoms } = report;
  return (
    <Banner
      look="note"
      icon={<IconClipboardText size={14} stroke={2} aria-hidden />}
      title="The text was explained."
      action={
        <Button
          size="xs"
          onClick={() => {
            forget();
            // The address would name what is not there any more.
            if (list.open?.from === 'text') list.narrow({}, 'replace');
          }}
        >
          Dismiss
        </Button>
      }
    >
      {findings.length === 0
        ? `None of the ${formatCount(symptoms, 'symptom')} detectable in a text was found.`
        : `${formatCount(findings.length, 'finding')} of the list ${findings.length === 1 ? 'is' : 'are'} from it. The text itself was not stored.`}
    </Banner>
  );
}
