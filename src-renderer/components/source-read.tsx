import { useQuery } from '@tanstack/react-query';
import type { Reading } from '#shared/api/reading.ts';
import { codeHostQuery } from '../core/code-host.ts';
import { Again, type AnswerProps, AnswerView, NotReadPanel, type SourceQuery } from './answer-view.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { PageLink } from './page-link.tsx';
import { Waiting } from './skeleton.tsx';

/** The content read from the code host, or in its place: what is waited for, did not answer, or is not attached. */
export function SourceRead<Answer extends Reading>(props: AnswerProps<Answer>) {
  const { query, what } = props;
  return (
    <AnswerView
      {...props}
      unavailable={({ unmeasured }) => <Unavailable query={query} what={what} unmeasured={unmeasured} />}
    />
  );
}

type UnavailableProps = {
  readonly query: SourceQuery<Reading>;
  readonly what: string;
  readonly unmeasured: readonly string[];
};

const settings = { tab: 'settings', section: 'codeHost' };

function Unavailable({ query, what, unmeasured }: UnavailableProps) {
  const attachment = useQuery(codeHostQuery);
  if (attachment.isPending) return <Waiting label="Checking whether a code host is attached" />;
  if (attachment.data?.configured === false) {
    return (
      <FailurePanel
        state="idle"
        label="Not attached"
        title="No code host is attached"
        actions={
          <PageLink to={settings} look="filled">
            Attach the code host
          </PageLink>
        }
      >
        <p>{what} are read from the code host through a GitHub App. This console has none yet.</p>
      </FailurePanel>
    );
  }
  return (
    <NotReadPanel
      title={`${what} were not read`}
      reasons={unmeasured}
      actions={
        <>
          <Again query={query} />
          <PageLink to={settings} look="outlined">
            See the code host
          </PageLink>
        </>
      }
    />
  );
}
