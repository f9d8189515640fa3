import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { settingsQuery } from '../../core/settings-queries.ts';
import css from './set-up-section.module.css';

const google = 'https://accounts.google.com';

/** Sets up sign-in with an OpenID provider: its keys are read before anything is kept. */
export function SignInStep({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery);
  const now = (name: string): string =>
    settings.data?.settings.find((setting) => setting.name === name)?.value ?? '';
  const [issuer, setIssuer] = useState<string>();
  const [clientId, setClientId] = useState<string>();
  const [people, setPeople] = useState<string>();
  const wanted = {
    issuer: (issuer ?? (now('CONSOLE_OIDC_ISSUER') || google)).trim(),
    client_id: (clientId ?? now('CONSOLE_GOOGLE_CLIENT_ID')).trim(),
    people: people ?? now('CONSOLE_ALLOWED_EMAILS'),
  };
  const allowed = wanted.people.split(/[\s,;]+/).filter((email) => email !== '');
  const run = useMutation({
    mutationFn: (keep: boolean) =>
      call('setUp.signIn', {
        body: { issuer: wanted.issuer, client_id: wanted.client_id, allowed_emails: allowed, keep },
      }),
    onSuccess: ({ kept }) => {
      if (!kept) return;
      client.invalidateQueries();
      onClose();
    },
  });
  const ready = wanted.issuer !== '' && wanted.client_id !== '' && allowed.length > 0;
  return (
    <Dialog title="Set up sign-in" width={560} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) run.mutate(true);
        }}
      >
        <p>
          At the provider, create a client of the kind “web application”. Give it this origin, and this
          address to come back to:
        </p>
        {[location.origin, `${location.origin}/auth/callback`].map((address) => (
          <p key={address} className={css.address}>
            <code>{address}</code>
            <CopyIcon text={() => address} label={`Copy ${address}`} />
          </p>
        ))}
        <TextInput
          label="Issuer"
          description="As the provider’s discovery document writes it."
          value={issuer ?? (now('CONSOLE_OIDC_ISSUER') || google)}
          onChange={(event) => {
            setIssuer(event.currentTarget.value);
            run.reset();
          }}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Client id"
          description="The console takes the provider’s signed ID token, so no client secret is needed or kept."
          value={clientId ?? now('CONSOLE_GOOGLE_CLIENT_ID')}
          onChange={(event) => {
            setClientId(event.currentTarget.value);
            run.reset();
          }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <TextInput
          label="Who may sign in"
          description="Email addresses, separated by commas. Nobody else can sign in."
          placeholder="name@company.example"
          value={wanted.people}
          onChange={(event) => {
            setPeople(event.currentTarget.value);
            run.reset();
          }}
          autoComplete="off"
          spellCheck={false}
        />
        {run.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not set up.">
            <WithCode>{sentenceOf(run.error)}</WithCode>
          </Banner>
        )}
        {run.data?.kept === false && (
          <Banner look="note" icon={<Glyph state="healthy" />} title="The provider answers.">
            {counted(run.data.keys, 'signing key')} read from <code>{run.data.jwks_url}</code>. Nothing was
            changed yet.
          </Banner>
        )}
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => run.mutate(false)} loading={run.isPending} disabled={!ready}>
            Test only
          </Button>
          <Button type="submit" variant="filled" loading={run.isPending} disabled={!ready}>
            Test and keep
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
