/** A port of a service of a cluster. */
export type ClusterService = {
  /** Name of the kubeconfig context; the console's default target when undefined. */
  readonly target: string | undefined;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
};

/**
 * The endpoint of the studio: its address, and the service to reach it through if that address is not
 * reachable from this network.
 */
export type StudioEndpoint = { readonly url: URL; readonly through?: ClusterService };

const clusterForm = /^cluster:\/\/(?:([^@/]+)@)?([a-z0-9-]{1,63})\/([a-z0-9-]{1,63}):(\d{1,5})\/?$/;

/**
 * Reads `STUDIO_UPSTREAM`: an http(s) URL as `parseStudioUpstream` takes it, or
 * `cluster://[CONTEXT@]NAMESPACE/SERVICE:PORT`, a service of a live target that is reached through the Kubernetes API.
 * Throws an Error naming the variable.
 */
export function parseStudioEndpoint(value: string): StudioEndpoint {
  if (!/^\s*cluster:/i.test(value)) return { url: parseStudioUpstream(value) };
  const [, context, namespace = '', service = '', port = ''] = clusterForm.exec(value.trim()) ?? [];
  if (namespace === '' || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(
      'STUDIO_UPSTREAM must be cluster://NAMESPACE/SERVICE:PORT, such as cluster://platform/studio:8080.',
    );
  return {
    url: new URL(`http://${service}.${namespace}.svc:${port}/`),
    through: {
      target: context === undefined ? undefined : decodeURIComponent(context),
      namespace,
      service,
      port: Number(port),
    },
  };
}

/**
 * Reads an http(s) `STUDIO_UPSTREAM` with a host; a path prefix is allowed (CON-057).
 * Throws an Error naming the variable. The value is not repeated: it may hold a password.
 */
export function parseStudioUpstream(value: string): URL {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new Error('STUDIO_UPSTREAM must be an http(s) URL with a host, such as http://studio:8080.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`STUDIO_UPSTREAM must be an http(s) URL; its scheme is ${url.protocol.slice(0, -1)}.`);
  // The URL parser reads http:studio and http:///studio as http://studio/: a typing error that must not pass.
  if (url.hostname === '' || !/^\s*https?:\/\/[^/\\]/i.test(value))
    throw new Error('STUDIO_UPSTREAM has no host.');
  if (url.username !== '' || url.password !== '')
    throw new Error('STUDIO_UPSTREAM must not contain a user name or password.');
  if (url.search !== '' || url.hash !== '' || value.includes('?') || value.includes('#'))
    throw new Error('STUDIO_UPSTREAM must not contain a query or a fragment.');
  return url;
}
