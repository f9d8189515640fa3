import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { KeyItem } from '#shared/api/settings.ts';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { keepKey } from '../../core/settings-queries.ts';
import css from './set-key.module.css';

/** Takes a secret, hidden while it is given, and hands it to the console to keep. It is never shown again. */
export function SetKey({ item, onClose }: { readonly item: KeyItem; readonly onClose: () => void }) {
  const client = useQueryClient();
  const field = useId();
  const [value, setValue] = useState('');
  const set = useMutation({
    mutationFn: () => call('keys.set', { params: { name: item.name }, body: { value: value.trim() } }),
    // The secret must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: (key) => {
      keepKey(client, key);
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') set.mutate();
  };
  return (
    <Dialog title={item.set ? 'Replace the key' : 'Set the key'} width={480} onClose={onClose}>
      <form className={css.form} onSubmit={onSubmit}>
        <p className={css.words}>
          <code>{item.name}</code>. {item.sentence}
          {item.set && ' Replacing the current key deletes it.'}
        </p>
        <label className={css.label} htmlFor={field}>
          The secret, pasted in full
        </label>
        {/* Several lines: a private key is one. The dots hide it from who looks over the shoulder. */}
        <textarea
          id={field}
          className={css.secret}
          rows={4}
          value={value}
          onChange={(event) => {
            setValue(event.currentTarget.value);
            set.reset();
          }}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
        />
        <p className={css.count} role="status">
          {value.trim() === '' ? '' : `${value.trim().length} characters, hidden`}
        </p>
        {set.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The key was not saved.">
            {sentenceOf(set.error)}
          </Banner>
        )}
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={set.isPending} disabled={value.trim() === ''}>
            Save and apply now
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
