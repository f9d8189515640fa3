import { useQuery } from '@tanstack/react-query';
import { CommandBlock } from '../../components/command-block.tsx';
import { kubeconfigCommand } from '../../core/kubectl.ts';
import { settingsQuery } from '../../core/settings-queries.ts';
import css from './finding-reading.module.css';

/** Shows how to point kubectl at the sandbox, which is in no kubeconfig of the person's. Empty until that is known. */
export function SandboxKubectl() {
  const { data } = useQuery(settingsQuery);
  const files = data?.settings.find(
    ({ name, source }) => name === 'CONSOLE_KUBECONFIG' && source === 'sandbox',
  );
  if (files?.value === undefined) return null;
  return (
    <div className={css.before}>
      <p>First point kubectl at the sandbox, which has a kubeconfig of its own.</p>
      <CommandBlock command={kubeconfigCommand(files.value)} />
    </div>
  );
}
