import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import css from './about-section.module.css';
import { Section } from './section.tsx';

/**
 * Shows the diagnostics to attach to a question about this console, and where its log is; for session admins and the
 * desktop's owner.
 */
export function DiagnosticsSection() {
  const may = useMayAdminister();
  if (may !== true) {
    return (
      <Section title="Diagnostics">
        <p>Only a session admin, or whoever sits at the desktop window, can read them.</p>
      </Section>
    );
  }
  return (
    <Section title="Diagnostics">
      <Facts />
    </Section>
  );
}

function Facts() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['diagnostics'],
    queryFn: () => call('diagnostics.read'),
  });
  if (data === undefined) {
    if (error === null) return <SkeletonRows rows={2} />;
    return (
      <FailurePanel
        label="Not read"
        state="unknown"
        title="The diagnostics were not read"
        raw={sentenceOf(error)}
        actions={
          <Button onClick={() => refetch()} loading={isFetching}>
            Retry
          </Button>
        }
      >
        <p>Requested /api/diagnostics.</p>
      </FailurePanel>
    );
  }
  const { log } = data;
  return (
    <>
      <dl className={css.facts}>
        <dt>Log</dt>
        <dd>
          <code>{log.file}</code>
        </dd>
        <dt>Latest warning or error</dt>
        <dd>{messageOf(log.errors.at(-1)) ?? 'None since the start'}</dd>
      </dl>
      <p>Versions, settings, targets and recent errors; keys and tokens are left out.</p>
      <CopyButton label="Copy diagnostics" text={() => `${JSON.stringify(data, undefined, 2)}\n`} />
    </>
  );
}

function messageOf(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  return /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
}
