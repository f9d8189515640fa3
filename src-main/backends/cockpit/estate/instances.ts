import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { platformPrefix } from '#shared/platform/labels.ts';
import type { EstateConfig } from '../config.ts';

export type InstanceRecord = { readonly name: string; readonly namespace: string; readonly tenant: string };

/** Timeout for one page, in milliseconds, instances in a page, most pages read, and largest page. */
const answerMs = 5000;
const pageSize = 500;
const mostPages = 20;
const largest = 16 * 1024 * 1024;

const page = z.object({
  metadata: z.object({ continue: z.string().optional() }).optional(),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), namespace: z.string().default('') }),
      spec: z.object({ tenant: z.string().default('') }).default({ tenant: '' }),
    }),
  ),
});

/**
 * The client instances of the cluster, asked with the pod's service account. Throws, with "instance discovery is unavailable", when this is
 * no pod, the API does not answer, or the account may not list them (BCK-078).
 */
export async function listInstances(kubernetes: EstateConfig['kubernetes']): Promise<InstanceRecord[]> {
  if (kubernetes === undefined)
    throw unavailable('this backend does not run in a cluster', Code.FailedPrecondition);
  const { url, serviceAccountFolder } = kubernetes;
  // Read every time: Kubernetes replaces the token within the hour.
  const [token, ca] = await Promise.all([
    readFile(join(serviceAccountFolder, 'token'), 'utf8'),
    readFile(join(serviceAccountFolder, 'ca.crt'), 'utf8'),
  ]).catch(() => {
    throw unavailable('the pod has no service account token', Code.FailedPrecondition);
  });
  const agent = new Agent({ connect: { ca, timeout: answerMs }, maxResponseSize: largest });
  try {
    const found: InstanceRecord[] = [];
    let after = '';
    for (let pages = 0; pages < mostPages; pages += 1) {
      const { items, metadata } = await readPage(agent, url, token.trim(), after);
      found.push(
        ...items.map(({ metadata: { name, namespace }, spec: { tenant } }) => ({ name, namespace, tenant })),
      );
      after = metadata?.continue ?? '';
      if (after === '') break;
    }
    return found;
  } finally {
    await agent.destroy();
  }
}

async function readPage(agent: Agent, url: string, token: string, after: string) {
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(after === '' ? {} : { continue: after }),
  });
  let status: number;
  let body: unknown;
  try {
    const answer = await request(`${url}/apis/${platformPrefix}/v1alpha1/clientinstances?${query}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      signal: AbortSignal.timeout(answerMs),
    });
    status = answer.statusCode;
    body = await answer.body.json();
  } catch {
    throw unavailable('the Kubernetes API does not answer', Code.Unavailable);
  }
  if (status === 401 || status === 403)
    throw unavailable(
      "the pod's service account needs list permission on client instances",
      Code.PermissionDenied,
    );
  if (status === 404)
    throw unavailable(
      'the cluster has no client instances: its CRD is not installed',
      Code.FailedPrecondition,
    );
  const read = page.safeParse(body);
  if (status !== 200 || !read.success)
    throw unavailable(`the Kubernetes API answered with status ${status}`, Code.Unavailable);
  return read.data;
}

function unavailable(why: string, code: Code): ConnectError {
  return new ConnectError(`instance discovery is unavailable: ${why}.`, code);
}
