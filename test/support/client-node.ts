import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { repoRoot } from './repo-root.ts';

/** The part of `@kubernetes/client-node` that tests and benches compare with. */
export type ClientNode = {
  readonly KubeConfig: new () => KubeConfig;
  readonly PortForward: new (
    config: KubeConfig,
    disconnectOnErr: boolean,
  ) => {
    portForward(
      namespace: string,
      pod: string,
      ports: readonly number[],
      output: Writable,
      errors: Writable | null,
      input: Readable | Duplex,
    ): Promise<unknown>;
  };
  readonly CoreV1Api: unknown;
  readonly makeInformer: (config: KubeConfig, path: string, list: () => Promise<unknown>) => Informer;
};

type KubeConfig = {
  loadFromFile(path: string): void;
  applyToHTTPSOptions(options: TheirCredentials): Promise<void>;
  makeApiClient(api: unknown): {
    listPodForAllNamespaces(): Promise<unknown>;
    listEventForAllNamespaces(): Promise<unknown>;
  };
};

/** Credentials the library adds to a request. */
export type TheirCredentials = { headers?: Record<string, string>; auth?: string; key?: Buffer };

type Informer = {
  on(event: 'error', listener: (error: unknown) => void): void;
  start(): Promise<void>;
  list(): readonly unknown[];
};

/** The reason there is none. */
export const noClientNode = '@kubernetes/client-node is not installed: npm ci --prefix test/bench';

/** The library, installed beside the benches; undefined where it is not. */
export function clientNode(): ClientNode | undefined {
  try {
    return createRequire(join(repoRoot, 'test/bench/package.json'))('@kubernetes/client-node');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
