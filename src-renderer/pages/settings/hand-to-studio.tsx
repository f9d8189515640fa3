import { useState } from 'react';
import { CommandBlock } from '../../components/command-block.tsx';
import css from './hand-to-studio.module.css';
import { studioIdentityKey } from './settings-labels.ts';

type HandToStudioProps = {
  /** True right after it was generated here: the way on is open then. */
  readonly fresh: boolean;
  /** True when the console keeps the key itself, so that its commands can read it. */
  readonly readable: boolean;
};

/**
 * Shows how to give the studio the same identity key: by commands on the console's machine, never through the browser.
 */
export function HandToStudio({ fresh, readable }: HandToStudioProps) {
  const [opened, setOpened] = useState(fresh);
  if (!readable) return null;
  return (
    <details
      className={css.hand}
      data-fresh={fresh}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary className={css.summary}>
        {fresh ? 'The studio needs the same key now: hand it over' : 'How to hand it to the studio'}
      </summary>
      <div className={css.steps}>
        <p>On the machine of this console. For a studio in a cluster, as a Secret that its pod reads:</p>
        <CommandBlock
          command={`operator-console keys secret ${studioIdentityKey} --namespace platform --name studio-identity | kubectl apply -f -`}
        />
        <p>For a studio started by hand, print the key and set it in that studio’s environment:</p>
        <CommandBlock command={`operator-console keys show ${studioIdentityKey}`} />
        <p>Then restart the studio. Both sides must have the same key, or the studio refuses everyone.</p>
      </div>
    </details>
  );
}
