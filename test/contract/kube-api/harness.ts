import { afterEach } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../support/kube-api.ts';

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

export type Asked = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};

/** A cluster of these objects, which `ask` asks until the test is over. */
export async function start(
  objects: readonly KubeObject[],
  options?: TestClusterOptions,
): Promise<TestCluster> {
  cluster = await startTestCluster(objects, options);
  return cluster;
}

/** Asks as the user who may do everything, unless the headers name another. */
export async function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const response = await fetch(`${cluster?.url}${path}`, {
    method,
    headers: { authorization: 'Bearer test-token', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => objectOf(text) };
}

const loose = z.looseObject({});
export const objectOf = (text: string) => loose.parse(JSON.parse(text));

export const namespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
export const config = (name: string, data: Record<string, string> = { x: '1' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'rec', labels: { app: name } },
  data,
});
export const pod = (
  name: string,
  fields: { labels?: Record<string, string>; node?: string; phase?: string } = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'rec', labels: fields.labels ?? {} },
  spec: {
    ...(fields.node === undefined ? {} : { nodeName: fields.node }),
    containers: [{ name: 'c', image: 'x' }],
  },
  status: { phase: fields.phase ?? 'Running' },
});

/** Names in a list, in its order. */
export const itemNames = (text: string): string[] =>
  z
    .object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })
    .parse(JSON.parse(text))
    .items.map(({ metadata }) => metadata.name);

/** What a list says of itself. */
export const pageOf = (text: string) =>
  z
    .object({
      metadata: z.object({
        resourceVersion: z.string(),
        continue: z.string().optional(),
        remainingItemCount: z.number().optional(),
      }),
    })
    .parse(JSON.parse(text)).metadata;
