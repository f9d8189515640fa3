import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { inDesktopWindow } from '../../core/desktop.ts';
import { sentenceOf } from '../../core/failure.ts';
import css from './set-key.module.css';

type CreateAppProps = {
  readonly onClose: () => void;
  /** Takes the person to the form for an App that exists. */
  readonly onAttach: () => void;
};

/**
 * Creates a GitHub App at the code host with the permissions the console reads with. In a browser the code host hands the
 * App back by itself; the desktop window opens a filled-in form in the system's browser, which cannot.
 */
export function CreateApp({ onClose, onAttach }: CreateAppProps) {
  const [organisation, setOrganisation] = useState('');
  const begin = useMutation({
    mutationFn: () =>
      call('codeHost.appManifest', {
        body: { organisation: organisation.trim(), console_url: location.origin },
      }),
  });
  const host = begin.data === undefined ? '' : new URL(begin.data.action).host;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (organisation.trim() !== '') begin.mutate();
  };
  return (
    <Dialog title="Create an App" width={520} onClose={onClose}>
      {begin.data === undefined ? (
        <form className={css.form} onSubmit={onSubmit}>
          <p className={css.words}>
            A GitHub App of your organisation, for this console alone. It may read repositories, runs, checks,
            pull requests, issues and statuses, and change nothing.
          </p>
          <TextInput
            className={css.field ?? ''}
            label="Organisation"
            description="As in its address at the code host. You need to be an owner of it."
            placeholder="my-company"
            value={organisation}
            onChange={(event) => {
              setOrganisation(event.currentTarget.value);
              begin.reset();
            }}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          {begin.error !== null && (
            <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not begun.">
              <WithCode>{sentenceOf(begin.error)}</WithCode>
            </Banner>
          )}
          <div className={css.actions}>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="filled"
              loading={begin.isPending}
              disabled={organisation.trim() === ''}
            >
              Continue
            </Button>
          </div>
        </form>
      ) : inDesktopWindow ? (
        <div className={css.form}>
          <p className={css.words}>
            {host} opens in your browser with everything filled in. Create the App there, generate a private
            key, install the App, then enter its ID and key here.
          </p>
          <div className={css.actions}>
            <Button component="a" href={begin.data.link} target="_blank" rel="noreferrer">
              Open {host}
            </Button>
            <Button variant="filled" onClick={onAttach}>
              Enter ID and key
            </Button>
          </div>
        </div>
      ) : (
        <form className={css.form} method="post" action={begin.data.action}>
          <input type="hidden" name="manifest" value={begin.data.manifest} />
          <p className={css.words}>
            {host} asks you to confirm the App’s name, and leads you back here. Its number and key then come
            by themselves.
          </p>
          <div className={css.actions}>
            <Button onClick={() => begin.reset()}>Back</Button>
            <Button type="submit" variant="filled" data-autofocus>
              Go to {host}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
