import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { call } from '../../core/api.ts';
import { CallFailed } from '../../core/call-route.ts';
import { sentenceOf } from '../../core/failure.ts';
import { signInQuery } from '../../core/queries.ts';
import css from './password-form.module.css';
import { useCountdown } from './use-countdown.ts';

/** Name and password. A refusal is told in words beside the form; too many tries, with the wait. */
export function PasswordForm() {
  const client = useQueryClient();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const [waitSeconds, startWait] = useCountdown();
  const signIn = useMutation({
    mutationFn: () => call('signIn.password', { body: { username, password } }),
    onSuccess: () => client.invalidateQueries({ queryKey: signInQuery.queryKey }),
    onError: (error) => {
      if (error instanceof CallFailed) startWait(error.retryAfterSeconds ?? 0);
      passwordField.current?.select();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (waitSeconds === 0) signIn.mutate();
  };
  return (
    <form onSubmit={submit} className={css.form}>
      {signIn.error !== null && <Refusal error={signIn.error} waitSeconds={waitSeconds} />}
      <TextInput
        label="Email"
        name="username"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordField}
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleIcon={({ reveal }) => <span className={css.show}>{reveal ? 'Hide' : 'Show'}</span>}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        rightSectionWidth={48}
      />
      <Button
        type="submit"
        variant="filled"
        size="md"
        fullWidth
        loading={signIn.isPending}
        disabled={waitSeconds > 0}
        rightSection={<KeyCaps keys="Enter" />}
      >
        Sign in
      </Button>
    </form>
  );
}

function Refusal({ error, waitSeconds }: { readonly error: Error; readonly waitSeconds: number }) {
  const tooMany = error instanceof CallFailed && error.name === 'TooManyRequests';
  return (
    <Banner
      look="failing"
      urgent
      icon={<Glyph state="failing" />}
      title={tooMany ? 'Too many tries.' : sentenceOf(error)}
    >
      {tooMany && (waitSeconds > 0 ? `Try again in ${waitSeconds} s.` : 'You can try again now.')}
    </Banner>
  );
}
