import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { CodeHostAttachment } from '#shared/api/code-host.ts';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { call } from '../../core/api.ts';
import { codeHostQuery } from '../../core/code-host.ts';
import { sentenceOf } from '../../core/failure.ts';
import css from './set-key.module.css';

type AttachProps = { readonly attachment: CodeHostAttachment; readonly onClose: () => void };

/** Takes an App's number and key; the console tries them with the code host before it keeps them. */
export function AttachCodeHost({ attachment: { settings }, onClose }: AttachProps) {
  const client = useQueryClient();
  const keyField = useId();
  const own = (setting: { value?: string | undefined; source: string }): string =>
    setting.source === 'default' ? '' : (setting.value ?? '');
  const [appId, setAppId] = useState(own(settings.app_id));
  const [installation, setInstallation] = useState(own(settings.installation_id));
  const [address, setAddress] = useState(own(settings.api_url));
  const [key, setKey] = useState('');
  const attach = useMutation({
    mutationFn: () =>
      call('codeHost.attach', {
        body: {
          ...(settings.app_id.settable && appId.trim() !== '' && { app_id: appId.trim() }),
          ...(settings.installation_id.settable && { installation_id: installation.trim() }),
          ...(settings.api_url.settable && { api_url: address.trim() }),
          ...(key.trim() !== '' && { private_key: `${key.trim()}\n` }),
        },
      }),
    // The key must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: (answer) => {
      client.setQueryData(codeHostQuery.queryKey, answer);
      // What could not be read until now, can be.
      client.invalidateQueries();
      onClose();
    },
  });
  const changed = (set: (value: string) => void) => (value: string) => {
    set(value);
    attach.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    attach.mutate();
  };
  const ready = appId.trim() !== '' && (key.trim() !== '' || settings.private_key.set);
  return (
    <Dialog title="Attach to the code host" width={520} onClose={onClose}>
      <form className={css.form} onSubmit={onSubmit}>
        <p className={css.words}>
          The App ID is on the App’s settings page at the code host, where its private key is created, too. It
          needs to be installed in your organisation with read permissions.
        </p>
        <Field
          label="App"
          value={appId}
          setting={settings.app_id}
          onChange={changed(setAppId)}
          placeholder="123456"
          first
        />
        <Field
          label="Installation"
          value={installation}
          setting={settings.installation_id}
          onChange={changed(setInstallation)}
          placeholder="the App’s only one"
        />
        <Field
          label="Address of the REST API"
          value={address}
          setting={settings.api_url}
          onChange={changed(setAddress)}
          placeholder="https://api.github.com"
        />
        {settings.private_key.settable ? (
          <>
            <label className={css.label} htmlFor={keyField}>
              Private key, the whole .pem file
              {settings.private_key.set && ' (empty keeps the one that is set)'}
            </label>
            <textarea
              id={keyField}
              className={css.secret}
              rows={4}
              value={key}
              onChange={(event) => changed(setKey)(event.currentTarget.value)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
            <p className={css.count} role="status">
              {key.trim() === '' ? '' : `${key.trim().length} characters, hidden`}
            </p>
          </>
        ) : (
          <p className={css.words}>The private key is set elsewhere, or cannot be stored here.</p>
        )}
        {attach.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not attached.">
            {sentenceOf(attach.error)}
          </Banner>
        )}
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={attach.isPending} disabled={!ready}>
            Test and attach
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly setting: { readonly settable: boolean; readonly source: string };
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
  readonly first?: boolean;
};

function Field({ label, value, setting, onChange, placeholder, first = false }: FieldProps) {
  return (
    <TextInput
      className={css.field ?? ''}
      label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      disabled={!setting.settable}
      autoComplete="off"
      spellCheck={false}
      {...(!setting.settable && {
        description: `Set by the ${setting.source === 'env' ? 'environment' : setting.source}.`,
      })}
      {...(first && { 'data-autofocus': true })}
    />
  );
}
