import type { ObjectRef } from '#shared/api/cluster.ts';
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
    : command.replace(/(^|[|&;(\n]\s*)kubectl(?= )/g, (kubectl) => `${kubectl} --context ${quoted(context)}`);

/** Tells a shell the kubeconfig in a list of them that is the first, such as the value of CONSOLE_KUBECONFIG. */
export function kubeconfigCommand(list: string): string {
  // A path of Windows has a colon of its own.
  const [first = ''] = /^[A-Za-z]:[\\/]/.test(list) ? list.split(';') : list.split(':');
  return `export KUBECONFIG=${quoted(first)}`;
}

/** A kubectl command, and which cluster it speaks to. */
export type KubectlCommand = { readonly command: string; readonly note: string };

/** Beyond so many objects a command lists their kinds instead of naming each: a shell's line has an end. */
const mostNamed = 200;

/**
 * Returns the command that prints objects: each by its name, or with `all` every object of their kinds. One line for each
 * namespace, as kubectl takes names of one only.
 */
export function getCommand(
  objects: readonly ObjectRef[],
  target: Pick<Target, 'id' | 'kind' | 'name'> | undefined,
  all: boolean,
): KubectlCommand {
  const listed = all || objects.length > mostNamed;
  const lines = listed ? [listLine(objects)] : nameLines(objects);
  const context = contextOf(target);
  const command = inContext(lines.join('\n'), context);
  const partial =
    listed && !all ? ` It prints all of the kind: ${objects.length} names are too many for one line.` : '';
  if (target?.kind === 'bundle') {
    // A line break in the name of a file would end the comment.
    const name = target.name.replaceAll(/\s+/g, ' ');
    const serve = `# ${name} is a bundle: serve it first with operator-console bundle serve`;
    return {
      command: `${serve}\n${command}`,
      note: `Read from the bundle ${name}, which kubectl reads while operator-console bundle serve runs.${partial}`,
    };
  }
  const where =
    context === undefined ? 'Asks the context kubectl is set to.' : `Asks the context ${context}.`;
  return { command, note: `${where}${partial}` };
}

const kindsOf = (objects: readonly ObjectRef[]): readonly string[] => [
  ...new Set(objects.map(({ kind }) => kind.toLowerCase())),
];

function listLine(objects: readonly ObjectRef[]): string {
  const namespaces = [...new Set(objects.map(({ namespace }) => namespace))];
  const [only] = namespaces;
  const scope =
    namespaces.length > 1 ? ' --all-namespaces' : only === undefined ? '' : ` --namespace ${quoted(only)}`;
  return `kubectl get ${kindsOf(objects).map(quoted).join(',')}${scope}`;
}

function nameLines(objects: readonly ObjectRef[]): readonly string[] {
  const namespaces = [...new Set(objects.map(({ namespace }) => namespace))];
  return namespaces.map((namespace) => {
    const within = objects.filter((object) => object.namespace === namespace);
    const kinds = kindsOf(within);
    const [kind = ''] = kinds;
    const names =
      kinds.length === 1
        ? [kind, ...within.map(({ name }) => name)]
        : within.map((object) => `${object.kind.toLowerCase()}/${object.name}`);
    const scope = namespace === undefined ? '' : ` --namespace ${quoted(namespace)}`;
    return `kubectl get ${names.map(quoted).join(' ')}${scope}`;
  });
}
