import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { useTargets } from '../../core/target-queries.ts';
import { Checks, ChecksRow } from './checks.tsx';
import { CompareBar } from './compare-bar.tsx';
import { type DiagnosisRun, goneSince } from './diagnosis-runs.ts';
import { DiagnosisSteps } from './diagnosis-strip.tsx';
import { FindingNotices } from './finding-notices.tsx';
import { FindingRail } from './finding-rail.tsx';
import { FindingReading } from './finding-reading.tsx';
import { isTextKey } from './finding-rows.ts';
import { Cancelled, DiagnosisFailed, NoTarget, NothingFound, UnreadTarget } from './no-findings.tsx';
import css from './troubleshoot-page.module.css';
import type { DiagnosedTarget, Diagnosis } from './use-diagnosis.ts';
import type { FindingList } from './use-finding-list.ts';
import type { TextExplanation } from './use-text-explanation.ts';

type FindingsViewProps = {
  readonly list: FindingList;
  readonly diagnosis: Diagnosis;
  readonly explanation: TextExplanation;
  readonly target: DiagnosedTarget | undefined;
  readonly comparison: {
    readonly compared: DiagnosisRun | undefined;
    readonly chosen: number | undefined;
    readonly onChoose: (at: number | undefined) => void;
  };
  readonly evidenceRef: Ref<HTMLElement>;
  readonly onPaste: () => void;
};

/** The findings with one of them open, or why there are none. */
export function FindingsView(props: FindingsViewProps) {
  const { list, diagnosis, explanation, target, comparison, evidenceRef } = props;
  const { report, work } = diagnosis;
  if (list.all.length === 0) {
    return (
      <div className={css.alone}>
        <FindingNotices list={list} diagnosis={diagnosis} explanation={explanation} target={target} />
        <Nothing {...props} />
      </div>
    );
  }
  const { open } = list;
  const checks = open?.from === 'text' ? explanation.report : report;
  const looked =
    checks === undefined || ('source' in checks && checks.source === 'unavailable') ? undefined : checks;
  return (
    <div className={css.split}>
      <FindingRail list={list}>
        <CompareBar list={list} runs={diagnosis.runs} {...comparison} />
      </FindingRail>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by key. */}
      <section key={open?.key} className={css.reading} tabIndex={0} aria-label="The open finding">
        <FindingNotices list={list} diagnosis={diagnosis} explanation={explanation} target={target} />
        {open === undefined ? (
          <div className={css.none}>
            {list.missing === undefined && list.rows.length > 0 && looked !== undefined ? (
              <NothingFound name={target?.name ?? 'the cluster'} report={looked} />
            ) : (
              <NotOpen list={list} running={diagnosis.running} />
            )}
          </div>
        ) : (
          <FindingReading
            row={open}
            all={list.all}
            fixed={target?.fixed === true}
            evidenceRef={evidenceRef}
            goneSince={goneSince(diagnosis.runs, open.finding.id)}
            onFixed={diagnosis.start}
          >
            {looked !== undefined && (
              <div className={css.narrow}>
                <ChecksRow report={looked} />
              </div>
            )}
          </FindingReading>
        )}
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key. */}
      <aside className={css.side} tabIndex={0} aria-label="What was checked">
        {looked !== undefined ? (
          <Checks report={looked} />
        ) : (
          work !== undefined && <DiagnosisSteps work={work} />
        )}
      </aside>
    </div>
  );
}

/** In place of findings: what is waited for, or why there are none. */
function Nothing({ diagnosis, target, onPaste }: FindingsViewProps) {
  const targets = useTargets();
  const { report, error, running, work, start } = diagnosis;
  if (target === undefined) {
    if (targets.data !== undefined) return <NoTarget onPaste={onPaste} />;
    if (targets.error === null) return <Waiting label="Checking which cluster is selected" />;
    return (
      <DiagnosisFailed
        name="The chosen cluster"
        error={targets.error}
        running={targets.isFetching}
        onAgain={() => void targets.refetch()}
      />
    );
  }
  const { id, name } = target;
  if (report === undefined) {
    if (running) {
      return (
        <div className={css.waiting}>
          <Waiting label={`Diagnosing ${name}`} />
          {work !== undefined && <DiagnosisSteps work={work} />}
          <SkeletonRows rows={8} />
        </div>
      );
    }
    if (work?.stopped === true) return <Cancelled name={name} onAgain={start} />;
    if (error !== null)
      return <DiagnosisFailed name={name} error={error} running={running} onAgain={start} />;
    return <Waiting label={`Diagnosing ${name}`} />;
  }
  if (report.source === 'unavailable') {
    if (report.target === undefined) return <NoTarget onPaste={onPaste} />;
    return <UnreadTarget target={id} reasons={report.unmeasured} running={running} onAgain={start} />;
  }
  return (
    <>
      <NothingFound name={name} report={report} />
      <Checks report={report} />
    </>
  );
}

type NotOpenProps = { readonly list: FindingList; readonly running: boolean };

/** In place of the reading: nothing matches the filter, or the address names what is not there. */
function NotOpen({ list: { all, filter, missing, narrow }, running }: NotOpenProps) {
  const clear = (label: string) => (
    <Button variant="filled" onClick={() => narrow({ q: undefined, namespace: undefined, mark: undefined })}>
      {label}
    </Button>
  );
  if (missing !== undefined) {
    if (running) return <Waiting label="Checking whether this finding still exists" />;
    return (
      <FailurePanel
        state="idle"
        label="Not found"
        title="There is no such finding"
        actions={clear('See the findings')}
      >
        <p>
          {isTextKey(missing)
            ? 'It was in a pasted text. Neither the text nor what was found in it is kept: paste it again.'
            : 'The last diagnosis did not find it. It may have been fixed, or be in another cluster or bundle.'}
        </p>
      </FailurePanel>
    );
  }
  const about = [
    filter.q === undefined ? undefined : `“${filter.q}”`,
    filter.namespace === undefined ? undefined : `namespace ${filter.namespace}`,
  ].filter((part) => part !== undefined);
  return (
    <FailurePanel
      state="idle"
      label="Empty"
      title={about.length === 0 ? 'No finding matches' : `No finding is about ${about.join(' in ')}`}
      actions={clear('Clear all filters')}
    >
      <p>
        All {all.length} were searched: titles, causes, objects and rules. The catalogue may not cover the
        problem.
      </p>
    </FailurePanel>
  );
}
