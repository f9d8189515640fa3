import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { call } from '../../core/api.ts';
import { useSession } from '../../core/session.tsx';

type SignOutEverywhereProps = {
  readonly email: string;
  /** Number of open sessions, if read. */
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
    <ConfirmDialog
      title="Sign out everywhere?"
      verb="Sign out everywhere"
      failed="No session was ended."
      working={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        {howMany} of <b>{email}</b> will end at once, this one included. Nothing else changes: chats and
        settings stay.
      </p>
    </ConfirmDialog>
  );
}
