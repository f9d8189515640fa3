import { ActionIcon, Tooltip } from '@mantine/core';
import { announce } from '../../core/announce.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconPin, IconPinFilled } from '../../core/icons/icons.ts';
import { pinAddress } from '../../core/kept-address.ts';
import { useSession } from '../../core/session.tsx';
import { useCreateItems, useDeleteItem, useWorkspaceItems } from '../../core/workspace-queries.ts';
import css from './workspace.module.css';

export type PinIconProps = {
  /** What kind of thing it is, such as `run`. */
  readonly what: string;
  readonly title: string;
  /** Where it opens. */
  readonly address: string;
};

/** Pins the open thing to the person's workspace, or takes the pin off. Absent where nobody is signed in. */
export function PinIcon({ what, title, address }: PinIconProps) {
  const { me } = useSession();
  const items = useWorkspaceItems();
  const create = useCreateItems();
  const remove = useDeleteItem();
  if (me.email === undefined) return null;
  const at = pinAddress(address);
  const pin = items.data?.find(
    (item) => item.kind === 'pin' && item.address === at && item.owner === me.email,
  );
  const { error, isPending } = pin === undefined ? create : remove;
  const verb = pin === undefined ? 'Pin' : 'Unpin';
  const toggle = () => {
    if (pin !== undefined) remove.mutate(pin.id, { onSuccess: () => announce('Unpinned') });
    else
      create.mutate(
        [{ kind: 'pin', title: title.slice(0, longestTitle), address: at, text: '', shared: false }],
        {
          onSuccess: () => announce('Pinned'),
        },
      );
  };
  const Shown = pin === undefined ? IconPin : IconPinFilled;
  return (
    <Tooltip
      label={error === null ? `${verb} this ${what}` : sentenceOf(error)}
      {...(error !== null && { opened: true })}
    >
      <ActionIcon
        className={css.pin}
        variant="transparent"
        onClick={toggle}
        disabled={items.data === undefined || isPending}
        aria-label={`${verb} this ${what}`}
        aria-pressed={pin !== undefined}
      >
        <Shown size={14} stroke={2} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Characters of a title that the console keeps. */
export const longestTitle = 200;
