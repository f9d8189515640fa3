import css from './command-block.module.css';
import { CopyIcon } from './copy-icon.tsx';

/** A command to run in a terminal, with its way into the clipboard. The prompt is drawn, not copied. */
export function CommandBlock({ command }: { readonly command: string }) {
  return (
    <div className={css.block}>
      <code className={css.command}>{command}</code>
      <CopyIcon text={() => command} label="Copy the command" />
    </div>
  );
}
