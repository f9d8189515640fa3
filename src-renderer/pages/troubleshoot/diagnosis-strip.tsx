import { Button } from '@mantine/core';
import { formatCount } from '../../components/format-quantity.ts';
import { formatDuration } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { useNow } from '../../core/use-now.ts';
import css from './diagnosis-strip.module.css';
import type { DiagnosisStep, DiagnosisWork } from './diagnosis-work.ts';

type DiagnosisStripProps = {
  readonly work: DiagnosisWork;
  readonly onCancel: () => void;
};

/** Shows the progress of a diagnosis, with a button to cancel it. */
export function DiagnosisStrip({ work, onCancel }: DiagnosisStripProps) {
  const now = useNow(1000);
  const step = work.steps.find(({ name }) => name === work.now);
  return (
    <section className={css.strip} aria-label="Diagnosis under way">
      <Glyph state="working" />
      <span className={css.step}>{work.now ?? 'Starting the diagnosis'}</span>
      <span className={css.bar}>
        <ProgressBar label="Diagnosis" done={step?.done ?? 0} total={step?.total ?? 0} />
      </span>
      <span className={css.facts}>
        {step !== undefined && doneLabel(step)}
        {formatCount(work.findings.length, 'finding')} so far, {formatDuration(now - work.startedAt)}
      </span>
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </section>
  );
}

/** The steps of a diagnosis by name, those that are done and the one under way. */
export function DiagnosisSteps({ work }: { readonly work: DiagnosisWork }) {
  return (
    <ol className={css.steps} aria-label="Steps of the diagnosis">
      {work.steps.map((step) => {
        const under = step.name === work.now;
        return (
          <li key={step.name} data-now={under}>
            <Glyph state={!under ? 'healthy' : work.stopped ? 'idle' : 'working'} />
            <span>{step.name}</span>
            {step.done !== undefined && (
              <span className={css.facts}>
                {step.done.toLocaleString('en')}
                {step.total !== undefined && ` of ${step.total.toLocaleString('en')}`}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function doneLabel({ done, total }: DiagnosisStep): string {
  if (done === undefined) return '';
  if (total === undefined || total === 0) return `${done.toLocaleString('en')}, `;
  return `${Math.min(100, Math.floor((done / total) * 100))} %, `;
}
