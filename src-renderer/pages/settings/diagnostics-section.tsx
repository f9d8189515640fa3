import { useQuery } from '@tanstack/react-query';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { call } from '../../core/api.ts';
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
      <ReadDiagnostics />
    </Section>
  );
}

function ReadDiagnostics() {
  const diagnostics = useQuery({
    queryKey: ['diagnostics'],
    queryFn: () => call('diagnostics.read'),
  });
  return (
    <PlainAnswer
      query={diagnostics}
      what="the diagnostics"
      meanwhile="The log in the data folder is written all the same."
      rows={2}
    >
      {(answer) => <DiagnosticFacts diagnostics={answer} />}
    </PlainAnswer>
  );
}

function DiagnosticFacts({ diagnostics }: { readonly diagnostics: Diagnostics }) {
  const { log } = diagnostics;
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
      <CopyButton label="Copy diagnostics" text={() => `${JSON.stringify(diagnostics, undefined, 2)}\n`} />
    </>
  );
}

function messageOf(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  return /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
}
