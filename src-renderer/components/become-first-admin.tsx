import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keepSessionAdmins } from '../core/access.ts';
import { call } from '../core/api.ts';
import { sentenceOf } from '../core/failure.ts';
import { Banner } from './banner.tsx';
import css from './become-first-admin.module.css';
import { Glyph } from './glyph.tsx';

/**
 * Names the first session admins: the person themselves with one click, or others by their addresses. Offered to whom
 * `useMayNameFirst` admits, while the list is unset.
 */
export function BecomeFirstAdmin({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const [others, setOthers] = useState<string>();
  const become = useMutation({
    mutationFn: (admins: readonly string[]) =>
      call('access.setSessionAdmins', { body: { admins: [...admins] } }),
    onSuccess: (answer) => {
      keepSessionAdmins(client, answer);
      // What was refused until now may be read.
      client.invalidateQueries();
    },
  });
  const named = (others ?? '').split(/[\s,;]+/).filter((name) => name !== '');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (named.length > 0) become.mutate(named);
  };
  return (
    <div className={css.become}>
      {others === undefined ? (
        <div className={css.row}>
          <Button
            variant="filled"
            className={css.wide}
            onClick={() => become.mutate([email])}
            loading={become.isPending}
          >
            Make {email} the first session admin
          </Button>
          <Button onClick={() => setOthers('')}>Name others</Button>
        </div>
      ) : (
        <form className={css.row} onSubmit={onSubmit}>
          <TextInput
            className={css.field}
            label="First session admins"
            description="Email addresses they sign in with, separated by commas."
            placeholder="name@company.example"
            value={others}
            onChange={(event) => {
              setOthers(event.currentTarget.value);
              become.reset();
            }}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Button type="submit" variant="filled" loading={become.isPending} disabled={named.length === 0}>
            Name them
          </Button>
          <Button onClick={() => setOthers(undefined)}>Cancel</Button>
        </form>
      )}
      {become.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The list was not set.">
          {sentenceOf(become.error)}
        </Banner>
      )}
    </div>
  );
}
