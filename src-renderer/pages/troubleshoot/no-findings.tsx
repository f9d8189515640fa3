import { Button } from '@mantine/core';
import { NotReadPanel } from '../../components/answer-view.tsx';
import { CommandBlock } from '../../components/command-block.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { commandIn } from '../../components/targets/target-labels.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconClipboardText, IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { useRetryTarget, useTargets } from '../../core/target-queries.ts';
import type { CheckedReport } from './checks.tsx';

type NothingFoundProps = {
  /** Name of the target. */
  readonly name: string;
  readonly report: CheckedReport;
};

/** A diagnosis that found nothing, with what makes that a real nothing or not. */
export function NothingFound({ name, report }: NothingFoundProps) {
  const { symptoms, not_checked, checked } = report;
  const whole = not_checked.length === 0;
  return (
    <FailurePanel
      state={whole ? 'healthy' : 'unknown'}
      label={whole ? 'Nothing found' : 'Partly checked'}
      title={whole ? 'No known problems' : 'No known problems in what could be checked'}
    >
      <p>
        {formatCount(symptoms, 'symptom')} were checked in {name},{' '}
        {checked.length === 0
          ? 'and nothing of it could be read.'
          : `by ${formatCount(checked.length, 'kind')} of evidence.`}
      </p>
      <p>
        {whole
          ? 'Everything could be checked.'
          : `${formatCount(not_checked.length, 'kind')} of evidence could not be read in full: problems visible only there may be missed.`}
      </p>
    </FailurePanel>
  );
}

/** That there is nothing to diagnose yet, and what there could be. */
export function NoTarget({ onPaste }: { readonly onPaste: () => void }) {
  const { pick, bundle } = useOpenTargets();
  return (
    <FailurePanel
      state="idle"
      label="Not attached"
      title="There is nothing to diagnose yet"
      actions={
        <>
          <Button variant="filled" onClick={pick}>
            Choose a cluster
          </Button>
          <Button onClick={bundle} leftSection={<IconPackage size={14} stroke={2} aria-hidden />}>
            Open a bundle
          </Button>
          <Button onClick={onPaste} leftSection={<IconClipboardText size={14} stroke={2} aria-hidden />}>
            Paste text
          </Button>
        </>
      }
    >
      <p>
        Choose a cluster of your kubeconfig or the sandbox, open a bundle of one, or drop it anywhere on this
        window. A log or a message alone can be pasted: it is explained without a cluster.
      </p>
    </FailurePanel>
  );
}

type UnreadTargetProps = {
  /** Id of the target. */
  readonly target: string;
  readonly reasons: readonly string[];
  readonly running: boolean;
  readonly onAgain: () => void;
};

/** That the target did not answer, so nothing of it could be checked. */
export function UnreadTarget({ target, reasons, running, onAgain }: UnreadTargetProps) {
  const { pick, bundle } = useOpenTargets();
  const { data } = useTargets();
  const retry = useRetryTarget();
  const known = data?.items.find(({ id }) => id === target);
  const command = known?.state === 'sign_in' ? commandIn(known.detail ?? '') : undefined;
  return (
    <NotReadPanel
      title={`${known?.name ?? target} could not be diagnosed`}
      reasons={reasons}
      actions={
        <>
          {command !== undefined && <CommandBlock command={command} />}
          <Button
            variant="filled"
            // The kubeconfig is read again first: a sign-in may have put another token there.
            onClick={() => retry.mutate(target, { onSettled: onAgain })}
            loading={retry.isPending || running}
          >
            Retry
          </Button>
          <Button onClick={pick}>Choose another target</Button>
          <Button onClick={bundle}>Open a bundle</Button>
        </>
      }
    />
  );
}

type FailedProps = {
  readonly name: string;
  readonly error: Error;
  readonly running: boolean;
  readonly onAgain: () => void;
};

/** That the console itself gave no report. */
export function DiagnosisFailed({ name, error, running, onAgain }: FailedProps) {
  return (
    <FailurePanel
      state="unknown"
      label="Not read"
      title={`${name} was not diagnosed`}
      raw={sentenceOf(error)}
      actions={
        <Button variant="filled" onClick={onAgain} loading={running}>
          Diagnose again
        </Button>
      }
    >
      <p>The console returned no report.</p>
    </FailurePanel>
  );
}

type CancelledProps = { readonly name: string; readonly onAgain: () => void };

/** That the person ended the diagnosis before anything was found. */
export function Cancelled({ name, onAgain }: CancelledProps) {
  return (
    <FailurePanel
      state="idle"
      label="Cancelled"
      title={`The diagnosis of ${name} was cancelled`}
      actions={
        <Button variant="filled" onClick={onAgain}>
          Diagnose again
        </Button>
      }
    >
      <p>Nothing had been found by then; the rest was not checked.</p>
    </FailurePanel>
  );
}
