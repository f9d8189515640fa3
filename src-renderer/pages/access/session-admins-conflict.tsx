import { Button } from '@mantine/core';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import css from './session-admins-panel.module.css';
import type { AdminsChange } from './set-session-admins.ts';

type Props = {
  /** The list as this person's change would have left it. */
  readonly wanted: readonly string[];
  /** The list as it is. */
  readonly now: readonly string[];
  readonly change: AdminsChange;
  readonly working: boolean;
  /** Makes the change on the list as it is. */
  readonly onContinue: (change: AdminsChange) => void;
  readonly onDiscard: () => void;
};

/** Shows two changes that met: the list each leaves, and the choice to make this one on top of the other. */
export function SessionAdminsConflict({ wanted, now, change, working, onContinue, onDiscard }: Props) {
  const done = 'add' in change ? now.includes(change.add) : !now.includes(change.remove);
  const last = 'remove' in change && now.length === 1;
  return (
    <div className={css.said}>
      <Banner
        look="unread"
        urgent
        icon={<Glyph state="unknown" />}
        title="Somebody else changed the list. Your change was not made."
      >
        <dl className={css.lists}>
          <dt>Your list</dt>
          <dd>{wanted.join(', ')}</dd>
          <dt>The list now</dt>
          <dd>{now.join(', ')}</dd>
        </dl>
        <div className={css.choices}>
          {!done && !last && (
            <Button size="xs" variant="filled" loading={working} onClick={() => onContinue(change)}>
              {'add' in change
                ? `Add ${change.add} to the list now`
                : `Remove ${change.remove} from the list now`}
            </Button>
          )}
          <Button size="xs" onClick={onDiscard}>
            {done ? 'Dismiss' : 'Keep the list as it is'}
          </Button>
        </div>
      </Banner>
    </div>
  );
}
