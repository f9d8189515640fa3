import { type KubeContext, readKubeconfig } from './kubeconfig.ts';

/** One context of a kubeconfig with all it would make the console do; nothing is contacted or run for it. */
export type InspectedContext = {
  readonly name: string;
  readonly server: URL | undefined;
  readonly namespace: string | undefined;
  readonly user: string | undefined;
  /** Program that signing in would run, and its arguments. */
  readonly runs: readonly string[] | undefined;
  /** Whole paths of the files that it would read, in the order of the file. */
  readonly files: readonly string[];
  readonly fault: string | undefined;
};

/** Reads one kubeconfig by itself: no other file completes it. */
export async function inspectKubeconfig(
  path: string,
): Promise<{ readonly contexts: readonly InspectedContext[]; readonly current: string | undefined }> {
  const { contexts, current } = await readKubeconfig([path]);
  return { contexts: contexts.map(inspected), current };
}

function inspected({
  name,
  server,
  fault,
  namespace,
  cluster,
  userName,
  user,
}: KubeContext): InspectedContext {
  const files = [
    cluster['certificate-authority'],
    user['client-certificate'],
    user['client-key'],
    user.tokenFile,
    user['auth-provider']?.config?.['idp-certificate-authority'],
  ];
  return {
    name,
    server,
    namespace,
    user: userName,
    runs: user.exec === undefined ? undefined : [user.exec.command, ...(user.exec.args ?? [])],
    files: files.filter((file): file is string => file !== undefined && file !== ''),
    fault,
  };
}
