import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { sameSecret } from '../base/same-secret.ts';
import type { ResourceAddress } from './addresses.ts';
import { failure, unauthorized } from './status.ts';

/** The attributes a rule is checked against; `plural` includes the subresource, such as `pods/log`. */
export type Access = {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  /** Name of one object; absent where all of them are meant. */
  readonly name?: string;
};

/** Someone who may use the API. */
export type ApiUser = {
  /** As messages name them. */
  readonly name: string;
  readonly token?: string;
  /** Common name of a client certificate that the API's CA has signed. */
  readonly certificate?: string;
  /** Everything is allowed when absent. */
  readonly allow?: (access: Access) => boolean;
};

const anybody: ApiUser = { name: 'system:anonymous' };

/**
 * Returns the request's user. Without users anybody may do everything. Throws the 401 Status for an unknown
 * user.
 */
export function userOf(request: IncomingMessage, users: readonly ApiUser[] | undefined): ApiUser {
  if (users === undefined) return anybody;
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const named =
    token === undefined
      ? certified(request, users)
      : users.find((user) => user.token !== undefined && sameSecret(token, user.token));
  if (named === undefined) throw unauthorized();
  return named;
}

function certified({ socket }: IncomingMessage, users: readonly ApiUser[]): ApiUser | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { CN } = socket.getPeerCertificate().subject;
  return users.find(({ certificate }) => certificate !== undefined && certificate === CN);
}

export function accessOf(verb: string, address: ResourceAddress): Access {
  const { group, plural, subresource, namespace, name } = address;
  return {
    verb,
    group,
    plural: subresource === undefined ? plural : `${plural}/${subresource}`,
    namespace,
    ...(name === undefined ? {} : { name }),
  };
}

/** Throws the 403 Status unless the user may. */
export function checkAccess(user: ApiUser, access: Access, name: string | undefined): void {
  if (user.allow !== undefined && !user.allow(access)) throw forbidden(user, access, name);
}

export function forbidden(user: ApiUser, { verb, group, plural, namespace }: Access, name?: string) {
  const [resource = plural] = plural.split('/');
  const named = group === '' ? resource : `${resource}.${group}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${named}${name === undefined ? '' : ` "${name}"`} is forbidden: User "${user.name}" cannot ${verb} resource "${plural}" in API group "${group}" ${where}`,
    details: {
      ...(name === undefined ? {} : { name }),
      ...(group === '' ? {} : { group }),
      kind: resource,
    },
    headers: { 'x-content-type-options': 'nosniff' },
  });
}
