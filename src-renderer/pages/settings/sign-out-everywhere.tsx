import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { sentenceOf } from '../../app/failure.ts';
import { useSession } from '../../app/session.tsx';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import css from './sign-out-everywhere.module.css';

type SignOutEverywhereProps = {
  readonly email: string;
  /** How many sessions are open, when that was read. */
  readonly count: number | undefined;
  readonly onClose: () => void;
};

/** Asks before every session of this person, this one too, is ended. */
export function SignOutEverywhere({ email, count, onClose }: SignOutEverywhereProps) {
  const { forget } = useSession();
  const end = useMutation({
    mutationFn: () => call('sessions.revokeAll', { body: { subject: email } }),
    onSuccess: forget,
  });
  const howMany = count === undefined || count === 1 ? 'Every open session' : `All ${count} open sessions`;
  return (
    <Dialog title="Sign out everywhere?" width={420} onClose={onClose}>
      <p className={css.words}>
        {howMany} of <b>{email}</b> will end at once, this one included. Nothing else changes: chats and
        settings stay.
      </p>
      {end.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="No session was ended.">
          {sentenceOf(end.error)}
        </Banner>
      )}
      <div className={css.actions}>
        <Button onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button variant="filled" onClick={() => end.mutate()} loading={end.isPending}>
          Sign out everywhere
        </Button>
      </div>
    </Dialog>
  );
}
