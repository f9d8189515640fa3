import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SessionAdmins } from '#shared/api/access.ts';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { Tag } from '../../components/tag.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { keepSessionAdmins, sessionAdminsQuery, useMayAdminister } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useSession } from '../../core/session.tsx';
import page from './access-page.module.css';
import { SessionAdminsConflict } from './session-admins-conflict.tsx';
import css from './session-admins-panel.module.css';
import {
  type AdminsChange,
  ChangedMeanwhile,
  changedAdmins,
  setSessionAdmins,
} from './set-session-admins.ts';

/**
 * Shows and edits the session admins, who may read the audit trail, end other people's sessions and change settings and
 * keys.
 */
export function SessionAdminsPanel() {
  const admins = useQuery(sessionAdminsQuery);
  return (
    <section className={page.panel} aria-labelledby="session-admins">
      <h2 className={page.title} id="session-admins">
        Session admins
      </h2>
      <p className={page.about}>
        They can read the audit trail, end other people’s sessions, and change settings, keys and this list.
        Every change to the list is recorded in the audit trail.
      </p>
      <PlainAnswer
        query={admins}
        what="the session admins"
        meanwhile="The console still enforces the list; only this page could not read it."
        rows={2}
        frame={page.failure}
      >
        {(answer) => <Admins answer={answer} />}
      </PlainAnswer>
    </section>
  );
}

function Admins({ answer }: { readonly answer: SessionAdmins }) {
  const { admins, size, source } = answer;
  const client = useQueryClient();
  const { me } = useSession();
  const may = useMayAdminister() === true && source === 'store';
  const [leaving, setLeaving] = useState<string>();
  const change = useMutation({
    mutationFn: (asked: AdminsChange) => setSessionAdmins(answer, asked),
    onSuccess: (next) => {
      keepSessionAdmins(client, next);
      setLeaving(undefined);
    },
    onError: (error) => {
      if (!(error instanceof ChangedMeanwhile)) return;
      keepSessionAdmins(client, error.now);
      setLeaving(undefined);
    },
  });
  if (admins.length === 0 && size > 0)
    return <p className={page.about}>{counted(size, 'session admin')}. Session admins see the names.</p>;
  if (admins.length === 0) return <NoAdmins email={me.email} mayName={answer.may_name_first} />;
  return (
    <>
      <ul className={css.people} aria-label="Session admins">
        {admins.map((email) => (
          <li key={email} className={css.person}>
            <span className={css.email}>{email}</span>
            {email === me.email && <Tag>you</Tag>}
            {may && (
              <Button
                size="xs"
                disabled={admins.length === 1}
                title={
                  admins.length === 1
                    ? 'The last session admin cannot be removed: nobody could add another.'
                    : undefined
                }
                aria-label={`Remove ${email}`}
                onClick={() => {
                  change.reset();
                  setLeaving(email);
                }}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {change.error instanceof ChangedMeanwhile && (
        <SessionAdminsConflict
          wanted={changedAdmins(change.error.before.admins, change.error.change)}
          now={admins}
          change={change.error.change}
          working={change.isPending}
          onContinue={change.mutate}
          onDiscard={change.reset}
        />
      )}
      {may && <AddAdmin admins={admins} change={change.mutateAsync} />}
      {!may && (
        <p className={css.note}>
          <WithCode>{whyNot(source, me.email)}</WithCode>
        </p>
      )}
      {leaving !== undefined && (
        <ConfirmDialog
          title={leaving === me.email ? 'Remove yourself?' : `Remove ${leaving}?`}
          verb={leaving === me.email ? 'Remove yourself' : 'Remove from the list'}
          onConfirm={() => change.mutate({ remove: leaving })}
          onClose={() => setLeaving(undefined)}
          working={change.isPending}
          error={change.error}
          failed="The list was not changed."
        >
          <p>
            <b>{leaving}</b> can no longer read the audit trail, end other people’s sessions, or change
            settings, keys and this list. This takes effect at once. Their own sessions stay open.
          </p>
          {leaving === me.email && <p>Only another session admin can add you back.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

function whyNot(source: SessionAdmins['source'], email: string | undefined): string {
  if (source === 'env')
    return 'They are set by CONSOLE_SESSION_ADMINS: change it there and restart the console.';
  return email === undefined
    ? 'Nobody is signed in, so nothing can be changed here.'
    : 'Only a session admin can change this list.';
}

type NoAdminsProps = { readonly email: string | undefined; readonly mayName: boolean };

function NoAdmins({ email, mayName }: NoAdminsProps) {
  const here = mayName && email !== undefined;
  return (
    <div className={page.failure}>
      <FailurePanel
        state="idle"
        label="Nobody"
        title="There are no session admins"
        actions={here ? <BecomeFirstAdmin email={email} /> : undefined}
      >
        <p>
          Nobody can read the audit trail, end other people’s sessions, or change settings and keys.{' '}
          {here ? (
            'You are the local operator of this console and can name the first one.'
          ) : (
            <>
              Set <code>CONSOLE_SESSION_ADMINS</code> to email addresses, separated by commas, where the
              console is deployed, and restart it; or name the first one in its desktop window, or signed in
              by its one-time link.
            </>
          )}
        </p>
      </FailurePanel>
    </div>
  );
}

type AddAdminProps = {
  readonly admins: readonly string[];
  readonly change: (asked: AdminsChange) => Promise<SessionAdmins>;
};

function AddAdmin({ admins, change }: AddAdminProps) {
  const [email, setEmail] = useState('');
  const add = useMutation({
    mutationFn: (one: string) => change({ add: one }),
    onSuccess: () => setEmail(''),
  });
  const wanted = email.trim().toLowerCase();
  const known = admins.includes(wanted);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && !known) add.mutate(wanted);
  };
  return (
    <form className={css.add} onSubmit={onSubmit}>
      <TextInput
        className={css.field ?? ''}
        label="Add a session admin"
        placeholder="name@company.example"
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          add.reset();
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" size="md" loading={add.isPending} disabled={wanted === '' || known}>
        Add
      </Button>
      {known && <p className={css.said}>{wanted} is already on the list.</p>}
      {add.error !== null && !(add.error instanceof ChangedMeanwhile) && (
        <div className={css.said}>
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nobody was added.">
            {sentenceOf(add.error)}
          </Banner>
        </div>
      )}
    </form>
  );
}
