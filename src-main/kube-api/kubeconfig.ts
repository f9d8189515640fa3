import { stringify } from 'yaml';

/** The parts of a kubeconfig for one cluster. */
export type KubeconfigParts = {
  /** Name of the context, the cluster and the user. */
  readonly name: string;
  readonly server: string;
  readonly token?: string;
  /** PEM of the CA that signed the server's certificate. */
  readonly ca?: string;
  /** PEM of a client certificate and its key. */
  readonly certificate?: { readonly cert: string; readonly key: string };
};

/** A kubeconfig as kubectl reads it (`kubectl config view`). */
export function kubeconfigText({ name, server, token, ca, certificate }: KubeconfigParts): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      {
        name,
        cluster: { server, ...(ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }) },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(token === undefined ? {} : { token }),
          ...(certificate === undefined
            ? {}
            : {
                'client-certificate-data': base64(certificate.cert),
                'client-key-data': base64(certificate.key),
              }),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
