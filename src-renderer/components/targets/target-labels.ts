import type { Target, TargetState } from '#shared/api/targets.ts';
import type { StateName } from '../../core/state-name.ts';

/** A target's reachability, by shape and word. */
const targetStates: Readonly<Record<TargetState, { readonly state: StateName; readonly label: string }>> = {
  ready: { state: 'healthy', label: 'Answers' },
  partly: { state: 'degraded', label: 'Partly readable' },
  unread: { state: 'idle', label: 'Not contacted yet' },
  opening: { state: 'working', label: 'Opening' },
  sign_in: { state: 'failing', label: 'Sign-in needed' },
  unreachable: { state: 'failing', label: 'Does not answer' },
  broken: { state: 'failing', label: 'Cannot be used' },
};

/** Returns the label of a target's reachability; a bundle is open, as there is nothing to reach. */
export function stateOf({ kind, state }: Pick<Target, 'kind' | 'state'>): {
  readonly state: StateName;
  readonly label: string;
} {
  if (kind === 'bundle' && state === 'ready') return { state: 'healthy', label: 'Open' };
  return targetStates[state];
}

/** Groups of the picker, in its order. */
export const targetKinds: readonly { readonly kind: Target['kind']; readonly title: string }[] = [
  { kind: 'context', title: 'Clusters of the kubeconfig' },
  { kind: 'in_cluster', title: 'The cluster this console runs in' },
  { kind: 'sandbox', title: 'Sandbox' },
  { kind: 'bundle', title: 'Offline bundles' },
];

const sourceLabels: Readonly<Record<Target['kind'], string>> = {
  context: 'kubeconfig',
  in_cluster: 'in cluster',
  sandbox: 'demo cluster',
  bundle: 'bundle',
};

/** Returns a target's source and version, shown beside its name: `kubeconfig, v1.34`. */
export function sourceOf({ kind, version }: Pick<Target, 'kind' | 'version'>): string {
  const short = version?.replace(/^(v?\d+\.\d+).*$/, '$1');
  return short === undefined ? sourceLabels[kind] : `${sourceLabels[kind]}, ${short}`;
}

/** Matches the commands that sign-in programs ask people to run, mostly unquoted. */
const signInCommand =
  /\b(?:aws sso login|gcloud auth (?:application-default )?login|az login|oc login|tsh (?:kube )?login|doctl auth init|vault login)(?: --?[a-z][\w-]*(?:[= ][\w./:@-]*\w)?)*/;

/** The command a sentence tells to run, such as that of a sign-in: what is between backticks, else one that is known. */
export const commandIn = (sentence: string): string | undefined =>
  /`([^`]+)`/.exec(sentence)?.[1] ?? signInCommand.exec(sentence)?.[0];
