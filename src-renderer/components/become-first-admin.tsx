import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keepSessionAdmins } from '../core/access.ts';
import { call } from '../core/api.ts';
import { sentenceOf } from '../core/failure.ts';
import { Banner } from './banner.tsx';
import css from './become-first-admin.module.css';
import { Glyph } from './glyph.tsx';

/**
 * Makes the person at the desktop window the first session admin. Offered only there, while the list is unset: they own
 * the machine, its keychain and its environment already.
 */
export function BecomeFirstAdmin({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const become = useMutation({
    mutationFn: () => call('access.setSessionAdmins', { body: { admins: [email] } }),
    onSuccess: (answer) => keepSessionAdmins(client, answer),
  });
  return (
    <div className={css.become}>
      <Button variant="filled" onClick={() => become.mutate()} loading={become.isPending}>
        Make {email} the first session admin
      </Button>
      {become.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The list was not set.">
          {sentenceOf(become.error)}
        </Banner>
      )}
    </div>
  );
}
