import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { settingsQuery } from '../../core/settings-queries.ts';
import css from './set-up-section.module.css';
import { studioIdentityKey } from './settings-labels.ts';

/** Bytes of a key that is made here. */
const keyBytes = 32;

/** Makes a key in this window: the console is given it only when the studio has shown that it has the same. */
function newKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(keyBytes))));
}

/** Attaches a studio: its address and the key, tested by a signed request before they are kept. */
export function StudioStep({
  upstream,
  onClose,
}: {
  readonly upstream: string;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery);
  const inUse = settings.data?.settings.find(({ name }) => name === 'STUDIO_UPSTREAM');
  const key = settings.data?.keys.find(({ name }) => name === studioIdentityKey);
  const fixed = inUse?.source === 'env';
  const [address, setAddress] = useState<string>();
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState(false);
  const wanted = address ?? inUse?.value ?? '';
  const run = useMutation({
    mutationFn: (keep: boolean) =>
      call('setUp.studio', {
        body: {
          ...(fixed || wanted === inUse?.value ? {} : { address: wanted.trim() }),
          ...(secret.trim() === '' ? {} : { key: secret.trim() }),
          keep,
        },
      }),
    // The key must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: ({ kept }) => {
      if (!kept) return;
      client.invalidateQueries();
      onClose();
    },
  });
  const change = (set: () => void) => {
    set();
    run.reset();
  };
  const ready = wanted.trim() !== '' && (secret.trim() !== '' || key?.set === true);
  return (
    <Dialog title="Set up the studio" width={560} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) run.mutate(true);
        }}
      >
        <TextInput
          label="Address of the studio"
          description={
            fixed
              ? 'Set by STUDIO_UPSTREAM in the environment of the console: change it there.'
              : 'As the console’s machine reaches it, such as http://studio:8080 or cluster://platform/studio:8080.'
          }
          value={wanted}
          disabled={fixed}
          placeholder={upstream}
          onChange={(event) => {
            const { value } = event.currentTarget;
            change(() => setAddress(value));
          }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {key?.settable === false ? (
          <p>
            <WithCode>{`The key cannot be changed here. ${key.why_not ?? ''}`}</WithCode>
          </p>
        ) : (
          <>
            <div className={css.row}>
              <PasswordInput
                className={css.secret ?? ''}
                label="Identity key"
                description={
                  key?.set === true
                    ? 'Leave it empty to keep the one in use, which stays with its address.'
                    : 'Base64 of at least 32 bytes: the one the studio has, or a new one that you give it.'
                }
                value={secret}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  change(() => {
                    setSecret(value);
                    setMade(false);
                  });
                }}
                autoComplete="off"
                spellCheck={false}
              />
              <Button
                onClick={() =>
                  change(() => {
                    setSecret(newKey());
                    setMade(true);
                  })
                }
              >
                Make a new one
              </Button>
            </div>
            {made && (
              <Banner
                look="note"
                icon={<Glyph state="idle" />}
                title="Give it to the studio first."
                action={<CopyButton text={() => secret} label="Copy the key" />}
              >
                Set it there as <code>{studioIdentityKey}</code> and restart the studio, then test it here. It
                is not shown again once it is kept.
              </Banner>
            )}
          </>
        )}
        {run.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not attached.">
            <WithCode>{sentenceOf(run.error)}</WithCode>
          </Banner>
        )}
        {run.data?.kept === false && (
          <Banner look="note" icon={<Glyph state="healthy" />} title="The studio accepts it.">
            A signed request was answered in {run.data.took_ms} ms. Nothing was changed yet.
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
