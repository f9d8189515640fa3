import { Button } from '@mantine/core';
import { announce } from '../../core/announce.ts';
import { sentenceOf } from '../../core/failure.ts';
import { pinAddress } from '../../core/kept-address.ts';
import { useSession } from '../../core/session.tsx';
import { useCreateItems, useWorkspaceItems } from '../../core/workspace-queries.ts';
import { longestTitle } from './pin-icon.tsx';

/** Rows pinned at once; more are a view. */
const mostPinned = 20;

export type PinRowsProps = {
  readonly rows: () => readonly { readonly title: string; readonly address: string }[];
  readonly count: number;
  readonly onPinned: () => void;
};

/** Pins the selected rows to the person's workspace. Absent where nobody is signed in. */
export function PinRows({ rows, count, onPinned }: PinRowsProps) {
  const { me } = useSession();
  const items = useWorkspaceItems();
  const create = useCreateItems();
  if (me.email === undefined) return null;
  const pin = () => {
    const pinned = new Set(
      items.data?.flatMap(({ kind, owner, address }) =>
        kind === 'pin' && owner === me.email ? [address] : [],
      ),
    );
    const fresh = rows().flatMap(({ title, address }) => {
      const at = pinAddress(address);
      if (title === '' || pinned.has(at)) return [];
      return [
        { kind: 'pin', title: title.slice(0, longestTitle), address: at, text: '', shared: false } as const,
      ];
    });
    create.mutate(fresh, {
      onSuccess: () => {
        announce('Pinned');
        onPinned();
      },
    });
  };
  const many = count > mostPinned;
  const title = create.error === null ? `Pin at most ${mostPinned} rows at once` : sentenceOf(create.error);
  return (
    <Button
      size="xs"
      onClick={pin}
      loading={create.isPending}
      disabled={many || items.data === undefined}
      {...((many || create.error !== null) && { title })}
    >
      {create.error === null ? 'Pin' : 'Not pinned: retry'}
    </Button>
  );
}
