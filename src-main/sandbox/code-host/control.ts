import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readJsonBody } from '../../base/read-body.ts';
import { type Faults, faultSchema } from './faults.ts';
import type { Quotas } from './quotas.ts';
import type { World } from './world.ts';

type Parts = { readonly world: () => World; readonly faults: Faults; readonly quotas: Quotas };

const quotaSchema = z.strictObject({ remaining: z.number().int().min(0) });

/** The sandbox's own part: `/_sandbox/faults` and `/_sandbox/quota`, read with GET and set with PUT; and one picture. */
export function answerControl(parts: Parts, request: IncomingMessage, response: ServerResponse): void {
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(`${JSON.stringify(body, null, 2)}\n`);
  };
  const { method, url = '' } = request;
  if (method === 'GET' && url.startsWith('/_sandbox/avatars/')) {
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
    return;
  }
  // A page in somebody's browser says where it is from; only programs and people at a terminal set faults.
  if (request.headers.origin !== undefined) {
    reply(403, { error: 'Not from a web page.' });
    return;
  }
  const resource = resources(parts)[url];
  if (resource === undefined) {
    reply(404, { error: 'The sandbox has /_sandbox/faults and /_sandbox/quota, for GET and PUT.' });
    return;
  }
  if (method !== 'PUT') {
    reply(200, resource.read());
    return;
  }
  readJsonBody(request, largestBody)
    .then(resource.set)
    .then(
      () => reply(200, resource.read()),
      (error: unknown) =>
        reply(422, { error: error instanceof z.ZodError ? z.prettifyError(error) : 'Send JSON.' }),
    );
}

/** Bytes of what is set. */
const largestBody = 64 * 1024;

type Resource = { readonly read: () => unknown; readonly set: (body: unknown) => void };

function resources({ faults, quotas, world }: Parts): Readonly<Record<string, Resource>> {
  const installation = world().organisations[0]?.installation.id ?? 0;
  return {
    '/_sandbox/faults': {
      read: faults.list,
      set: (body) => {
        const given = z.array(faultSchema).parse(body);
        faults.clear();
        for (const fault of given) faults.add(fault);
      },
    },
    '/_sandbox/quota': {
      read: () => quotas.read(installation),
      set: (body) => quotas.setRemaining(installation, quotaSchema.parse(body).remaining),
    },
  };
}

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20" fill="#8a94a6"/></svg>';
