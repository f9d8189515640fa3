import type { ServerResponse } from 'node:http';
import type { Status } from './status.ts';

/** Discovery documents that name all groups in one answer are their own media type. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function sendJson(
  response: ServerResponse,
  code: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  response.writeHead(code, {
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  });
  response.end(bytes);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, {
    'cache-control': 'no-cache, private',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendStatus(
  response: ServerResponse,
  status: Status,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status.code, status, headers);
}

/** The answer to a group version or a path that nobody serves, which is no Status. */
export function sendNoPage(response: ServerResponse): void {
  sendText(response, 404, '404 page not found\n');
}

/** In which form objects are wanted. */
export type Form = 'object' | 'table' | 'metadata';

/** The first form of an Accept header that we can give; undefined when there is none, such as for protobuf alone. */
export function acceptedForm(accept: string | undefined): Form | undefined {
  if (accept === undefined || accept.trim() === '') return 'object';
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const as = parameters.find((each) => each.startsWith('as='))?.slice(3);
    if (as === undefined) return 'object';
    const isMetaV1 = parameters.includes('g=meta.k8s.io') && parameters.includes('v=v1');
    if (as === 'Table' && isMetaV1) return 'table';
    if (/^PartialObjectMetadata(?:List)?$/.test(as) && isMetaV1) return 'metadata';
  }
  return undefined;
}
