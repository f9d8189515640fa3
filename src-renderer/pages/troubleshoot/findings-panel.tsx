import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { Finding, TextReport } from '#shared/api/troubleshoot.ts';
import { Coverage } from '../../components/coverage.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { KeyCaps } from '../../components/key-caps.tsx';
import { Page } from '../../components/page/page.tsx';
import { IconClipboardText, IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { comparedRun, runDifference } from './diagnosis-runs.ts';
import { DiagnosisStrip } from './diagnosis-strip.tsx';
import { ExportReport } from './export-report.tsx';
import { rowsOf, textKey } from './finding-rows.ts';
import { FindingsView } from './findings-view.tsx';
import { notCheckedLabel } from './not-checked-labels.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { findingsAddress } from './troubleshoot-address.ts';
import css from './troubleshoot-page.module.css';
import type { DiagnosedTarget, Diagnosis } from './use-diagnosis.ts';
import { useDiagnosisNews } from './use-diagnosis-news.ts';
import { useFindingCommands } from './use-finding-commands.ts';
import { useFindingList } from './use-finding-list.ts';
import type { TextExplanation } from './use-text-explanation.ts';

type FindingsPanelProps = {
  readonly tabs: ReactNode;
  readonly diagnosis: Diagnosis;
  readonly explanation: TextExplanation;
  /** Undefined while there is none, or it is not known yet. */
  readonly target: DiagnosedTarget | undefined;
};

const nothing: readonly Finding[] = [];

/** The findings of a target and of a pasted text, and one of them to read. */
export function FindingsPanel({ tabs, diagnosis, explanation, target }: FindingsPanelProps) {
  const [address, go] = usePageAddress();
  const { bundle } = useOpenTargets();
  const [pasting, setPasting] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const { report, work, running, runs, start, stop } = diagnosis;
  // What was found so far is shown until there is a report; an old report stays until there is a new one.
  const found = report?.findings ?? work?.findings ?? nothing;
  const compared =
    report === undefined || report.source === 'unavailable' ? undefined : comparedRun(runs, chosen);
  const textFindings = explanation.report?.findings ?? nothing;
  const rows = useMemo(
    () =>
      rowsOf({
        found,
        text: textFindings,
        difference: compared && runDifference(compared.findings, found, report?.not_checked ?? []),
      }),
    [found, textFindings, compared, report],
  );
  useDiagnosisNews(diagnosis);
  const list = useFindingList(rows);
  const view = useRef<HTMLDivElement>(null);
  const evidence = useRef<HTMLElement>(null);
  const paste = useCallback(() => setPasting(true), []);
  useFindingCommands({ list, diagnosis, name: target?.name, view, evidence, onPaste: paste });
  const onExplained = ({ findings: [first] }: TextReport) => {
    setPasting(false);
    if (first !== undefined)
      go(
        findingsAddress(address, {
          q: undefined,
          namespace: undefined,
          state: undefined,
          record: textKey(first.id),
        }),
      );
  };
  return (
    <Page
      title="Troubleshoot"
      sub={[target?.name, headline(diagnosis)].filter((part) => part !== undefined).join(', ')}
      flush
      actions={
        <>
          <DiagnosisCoverage report={report} />
          <Button onClick={paste} leftSection={<IconClipboardText size={14} stroke={2} aria-hidden />}>
            Paste text
          </Button>
          <Button onClick={bundle} leftSection={<IconPackage size={14} stroke={2} aria-hidden />}>
            Open bundle
          </Button>
          <Exported diagnosis={diagnosis} explanation={explanation} target={target} />
          {target !== undefined && (
            <Button onClick={start} disabled={running} rightSection={<KeyCaps keys="r" />}>
              {running ? 'Diagnosing' : 'Diagnose again'}
            </Button>
          )}
        </>
      }
    >
      <div ref={view} className={css.room}>
        {tabs}
        {running && work !== undefined && <DiagnosisStrip work={work} onCancel={stop} />}
        <FindingsView
          list={list}
          diagnosis={diagnosis}
          explanation={explanation}
          target={target}
          comparison={{ compared, chosen, onChoose: setChosen }}
          evidenceRef={evidence}
          onPaste={paste}
        />
      </div>
      {pasting && (
        <PasteDialog explanation={explanation} onExplained={onExplained} onClose={() => setPasting(false)} />
      )}
    </Page>
  );
}

function headline({ report, running, work }: Diagnosis): string | undefined {
  if (report === undefined) return running ? 'diagnosing' : work?.stopped === true ? 'cancelled' : undefined;
  if (report.source === 'unavailable') return undefined;
  return report.findings.length === 0 ? 'nothing found' : formatCount(report.findings.length, 'finding');
}

function DiagnosisCoverage({ report }: { readonly report: Diagnosis['report'] }) {
  if (report === undefined || report.source === 'unavailable') return null;
  const { checked, not_checked, unmeasured } = report;
  const missing = not_checked.length;
  const reasons = missing === 0 ? unmeasured : not_checked.map(notCheckedLabel);
  return (
    <Coverage
      read={checked.length}
      total={checked.length + reasons.length}
      label={reasons.length === 0 ? 'All checks made' : `${reasons.length} not checked`}
      unmeasured={[...new Set(reasons)]}
    />
  );
}

type ExportedProps = Pick<FindingsPanelProps, 'diagnosis' | 'explanation' | 'target'>;

/** The report of the target, or where there is none that of the text. */
function Exported({ diagnosis: { report }, explanation, target }: ExportedProps) {
  const ofTarget = report !== undefined && report.source !== 'unavailable' ? report : undefined;
  const written = ofTarget ?? explanation.report;
  if (written === undefined) return null;
  const of = ofTarget === undefined ? 'a pasted text' : (target?.name ?? 'a cluster');
  return (
    <ExportReport
      name={`diagnosis-${(ofTarget === undefined ? 'text' : of).replace(/[^\w.-]+/g, '-')}`}
      report={{
        of,
        readAt: ofTarget?.read_at,
        findings: written.findings,
        checked: written.checked,
        notChecked: written.not_checked,
        symptoms: written.symptoms,
      }}
      json={written}
    />
  );
}
