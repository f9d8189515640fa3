import { Dialog } from '../../components/dialogs/dialog.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { commandGroups, useAllCommands } from '../../core/commands.tsx';
import css from './key-list.module.css';

const mac = navigator.userAgent.includes('Mac OS');

/** Every key that works here, read from the commands themselves. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const commands = useAllCommands().filter((command) => command.keys !== undefined);
  return (
    <Dialog title="Keys" width={560} onClose={onClose}>
      <div className={css.groups}>
        {commandGroups
          .map((group) => ({ group, inGroup: commands.filter((command) => command.group === group) }))
          .filter(({ inGroup }) => inGroup.length > 0)
          .map(({ group, inGroup }) => (
            <section key={group} aria-label={group}>
              <h3 className={css.group}>{group}</h3>
              <dl>
                {inGroup.map(({ id, title, keys = '' }) => (
                  <div key={id} className={css.row}>
                    <dt>{title}</dt>
                    <dd>
                      <Spoken>{keys.replace('mod+', mac ? 'Command ' : 'Control ')}</Spoken>
                      <KeyCaps keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <p className={css.note}>
        Single keys rest while you type, and while the studio has the focus; search opens from there, too.
      </p>
    </Dialog>
  );
}
