import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SettingItem } from '#shared/api/settings.ts';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { settingsQuery } from '../../core/settings-queries.ts';
import css from './edit-setting.module.css';

/** Changes one setting, most for the next start, or gives it back to its default. The console checks it as a start would. */
export function EditSetting({
  setting,
  onClose,
}: {
  readonly setting: SettingItem;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const { name, label, type, sentence, default: usual = '', source, pending, live } = setting;
  const [value, setValue] = useState(pending ?? (source === 'default' ? '' : (setting.value ?? '')));
  const change = useMutation({
    mutationFn: (next: string | null) => call('settings.change', { body: { values: { [name]: next } } }),
    onSuccess: (answer) => {
      client.setQueryData(settingsQuery.queryKey, answer);
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') change.mutate(value.trim());
  };
  const kept = source === 'settings' || pending !== undefined;
  return (
    <Dialog title={label} width={480} onClose={onClose}>
      <form onSubmit={onSubmit}>
        <p className={css.words}>
          <WithCode>{sentence}</WithCode> In the environment it is <code>{name}</code>.
        </p>
        <TextInput
          label={`Value (${type})`}
          placeholder={usual}
          value={value}
          onChange={(event) => {
            setValue(event.currentTarget.value);
            change.reset();
          }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <p className={css.hint}>
          {usual === '' ? 'Unset by default.' : `Default: ${usual}`}
          {type === 'list' && ' Several are separated by commas.'}
        </p>
        {change.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nothing was changed.">
            {sentenceOf(change.error)}
          </Banner>
        )}
        <div className={css.actions}>
          {kept && (
            <Button
              className={css.reset ?? ''}
              onClick={() => change.mutate(null)}
              disabled={change.isPending}
            >
              Reset to default
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={change.isPending} disabled={value.trim() === ''}>
            {live ? 'Save and apply now' : 'Save for the next start'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
