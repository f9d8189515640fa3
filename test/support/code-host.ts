import {
  type SandboxCodeHost,
  startSandboxCodeHost,
  type World,
} from '../../src-main/sandbox/code-host/index.ts';
import { type CodeHost, createCodeHost } from '../../src-main/sources/code-host/index.ts';

export {
  annotation,
  commit,
  commitId,
  issue,
  job,
  organisation,
  pull,
  repository,
  run,
  status,
  world,
} from '../../src-main/sandbox/code-host/builders.ts';
export type { Fault, SandboxCodeHost, World } from '../../src-main/sandbox/code-host/index.ts';
export { seededWorld } from '../../src-main/sandbox/code-host/index.ts';

export type TestCodeHost = {
  /** The double: its world may be changed, faults set, and what was asked of it is in `requests`. */
  readonly sandbox: SandboxCodeHost;
  /** The real client, attached to it. */
  readonly codeHost: CodeHost;
  close(): Promise<void>;
};

export type TestCodeHostOptions = {
  readonly world: World;
  /** Clock of both, epoch ms. */
  readonly now?: () => number;
  readonly latencyMs?: number;
  /** Requests an hour of each installation; 5,000 by default. */
  readonly quota?: number;
  /** Requests an hour that are left to the agent fleet; none by default. */
  readonly reserve?: number;
};

/** A sandbox code host with a small world, and the client attached to it. */
export async function startCodeHost(options: TestCodeHostOptions): Promise<TestCodeHost> {
  const { now = Date.now, reserve = 0, ...rest } = options;
  const sandbox = await startSandboxCodeHost({ ...rest, now });
  const codeHost = createCodeHost({
    settings: () => ({
      appId: sandbox.appId,
      privateKey: sandbox.privateKey,
      installationId: sandbox.installationId,
      apiUrl: new URL(sandbox.url),
      reserve,
    }),
    now,
  });
  return {
    sandbox,
    codeHost,
    async close() {
      codeHost.close();
      await sandbox.close();
    },
  };
}

/** Confirms the creation of an App at the double, as a person does in a browser; returns the address it leads back to. */
export async function confirmApp({ action, manifest }: { action: string; manifest: string }): Promise<URL> {
  const answer = await fetch(action, { method: 'POST', body: new URLSearchParams({ manifest }) });
  const page = await answer.text();
  const href = /href="([^"]+)"/.exec(page)?.[1];
  if (href === undefined) throw new Error(`The code host refused the manifest: ${page}`);
  return new URL(href.replace(/&#38;/g, '&'));
}
