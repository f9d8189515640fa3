import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteOf } from '#shared/api/index.ts';
import { Banner } from '../../components/banner.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { byPerson, deviceLabel } from '../../components/session-labels.ts';
import { Spoken } from '../../components/spoken.tsx';
import { useAllowlist } from '../../core/access.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { useReading } from '../../core/reading.tsx';
import css from './everyones-sessions.module.css';
import { Section } from './section.tsx';
import { SessionTable } from './session-table.tsx';

type EveryonesAnswer = CallAnswer<RouteOf<'sessions.everyone'>>;
type OthersSession = EveryonesAnswer['items'][number];

const everyoneQuery = queryOptions({
  queryKey: ['sessions', 'everyone'],
  queryFn: () => call('sessions.everyone'),
});

/** Refresh interval while the page is visible, in milliseconds. */
const everyMs = 30_000;

/** Other people's open sessions, for session admins; for everybody else, nothing. */
export function EveryonesSessions({ email }: { readonly email: string }) {
  const list = useAllowlist('CONSOLE_SESSION_ADMINS');
  if (list.data?.member !== true) return null;
  return <Others email={email} />;
}

/** The confirmation that is open: ending one session, or all of a person. */
type Asking = {
  readonly person: string;
  readonly session: OthersSession | undefined;
  readonly count: number;
};

function Others({ email }: { readonly email: string }) {
  const { every } = useReading();
  const everyone = useQuery({ ...everyoneQuery, refetchInterval: every(everyMs) });
  const [asking, setAsking] = useState<Asking>();
  return (
    <Section title="Other people’s sessions">
      <PlainAnswer
        query={everyone}
        what="other people’s sessions"
        meanwhile="Who else is signed in is not known right now."
      >
        {({ items, complete }) => {
          const people = byPerson(items.filter((session) => session.email !== email));
          return (
            <>
              {!complete && (
                <div className={css.notice}>
                  <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
                    Only the {items.length} most recent sessions are listed. Ending all of a person’s sessions
                    ends the others, too.
                  </Banner>
                </div>
              )}
              {people.length === 0 && (
                <p className={css.none}>Nobody else is signed in. All sessions were read.</p>
              )}
              {people.map(({ person, sessions }) => (
                <section key={person} className={css.person} aria-label={`Sessions of ${person}`}>
                  <div className={css.head}>
                    <h3 className={css.name}>{person}</h3>
                    <Button
                      size="xs"
                      onClick={() => setAsking({ person, session: undefined, count: sessions.length })}
                    >
                      {sessions.length === 1 ? 'End all' : `End all ${sessions.length}`}
                      <Spoken>
                        {sessions.length === 1 ? ` the session of ${person}` : ` sessions of ${person}`}
                      </Spoken>
                    </Button>
                  </div>
                  <SessionTable
                    name={`Open sessions of ${person}`}
                    sessions={sessions}
                    ending={undefined}
                    onEnd={(id) =>
                      setAsking({ person, session: sessions.find((session) => session.id === id), count: 1 })
                    }
                  />
                </section>
              ))}
            </>
          );
        }}
      </PlainAnswer>
      {asking !== undefined && <EndSessions {...asking} onClose={() => setAsking(undefined)} />}
    </Section>
  );
}

function EndSessions({ person, session, count, onClose }: Asking & { readonly onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      session === undefined
        ? call('sessions.revokeAll', { body: { subject: person } })
        : call('sessions.revokeOne', { params: { id: session.id } }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: everyoneQuery.queryKey }),
  });
  const what =
    session === undefined
      ? count === 1
        ? 'Every open session'
        : `All ${count} open sessions`
      : `The session on ${deviceLabel(session.user_agent)}`;
  return (
    <ConfirmDialog
      title={session === undefined ? `Sign ${person} out everywhere?` : `End this session of ${person}?`}
      verb={session === undefined ? 'End all sessions' : 'End the session'}
      onConfirm={() => end.mutate()}
      onClose={onClose}
      working={end.isPending}
      error={end.error}
      failed="Nothing was ended."
    >
      <p>
        {what} of <b>{person}</b> will end at once. They can sign in again: to keep them out, first remove
        them from the list of people who may sign in. This is recorded in the audit trail.
      </p>
    </ConfirmDialog>
  );
}
