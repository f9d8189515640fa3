import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useSession } from '../../core/session.tsx';
import { EveryonesSessions } from './everyones-sessions.tsx';
import { Section } from './section.tsx';
import { SessionTable } from './session-table.tsx';
import css from './sessions-section.module.css';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await call('sessions.list')).items,
});

/** Shows where the person is signed in, and signs out of sessions. */
export function SessionsSection() {
  const { me } = useSession();
  if (me.email === undefined || !me.authed) {
    return (
      <Section title="Sign-in and sessions">
        <FailurePanel state="idle" label="Open console" title="No sign-in is configured">
          <p>
            There are no sessions to show. Set <code>CONSOLE_ADMIN_PASSWORD</code>, or an identity provider,
            and restart the console.
          </p>
        </FailurePanel>
      </Section>
    );
  }
  return (
    <>
      <OwnSessions email={me.email} />
      <EveryonesSessions email={me.email} />
    </>
  );
}

function OwnSessions({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const { signOut } = useSession();
  const sessions = useQuery(sessionsQuery);
  const [asking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: (id: string) => call('sessions.revokeOne', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Section
      title="Sign-in and sessions"
      actions={
        <div className={css.actions}>
          <Button onClick={signOut}>Sign out</Button>
          <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
        </div>
      }
    >
      <p className={css.about}>
        Signed in as <b>{email}</b>. These are all of your open sessions, this one first.
      </p>
      {revoke.error !== null && (
        <div className={css.failure}>
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The session was not ended.">
            {sentenceOf(revoke.error)}
          </Banner>
        </div>
      )}
      <PlainAnswer
        query={sessions}
        what="your sessions"
        meanwhile="Nothing is known about your other sessions right now."
      >
        {(answer) => (
          <SessionTable
            name="Your open sessions"
            sessions={answer}
            ending={revoke.isPending ? revoke.variables : undefined}
            onEnd={revoke.mutate}
          />
        )}
      </PlainAnswer>
      {asking && (
        <SignOutEverywhere email={email} count={sessions.data?.length} onClose={() => setAsking(false)} />
      )}
    </Section>
  );
}
