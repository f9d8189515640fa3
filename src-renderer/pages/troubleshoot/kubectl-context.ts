import type { Target } from '#shared/api/targets.ts';

/** Name of the context that kubectl knows a target by; undefined for a bundle, and for a cluster that the console itself runs in. */
export const contextOf = (target: Pick<Target, 'id' | 'kind'> | undefined): string | undefined =>
  target?.kind === 'context' || target?.kind === 'sandbox' ? target.id : undefined;

/** Characters that mean nothing to a shell. */
const plain = /^[\w.:/@%+=,-]+$/;

const quoted = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * A command whose every kubectl speaks to the cluster of a context: the one kubectl would choose by itself may be another than the one
 * that was diagnosed.
 */
export const inContext = (command: string, context: string | undefined): string =>
  context === undefined
    ? command
    : command.replace(/(^|[|&;(]\s*)kubectl(?= )/g, (kubectl) => `${kubectl} --context ${quoted(context)}`);

/** Tells a shell the kubeconfig in a list of them that is the first, such as the value of CONSOLE_KUBECONFIG. */
export function kubeconfigCommand(list: string): string {
  // A path of Windows has a colon of its own.
  const [first = ''] = /^[A-Za-z]:[\\/]/.test(list) ? list.split(';') : list.split(':');
  return `export KUBECONFIG=${quoted(first)}`;
}
