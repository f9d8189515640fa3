import type { Logger } from 'pino';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import type { SandboxData } from '#shared/sandbox-data.ts';
import type { Config } from '../config/index.ts';
import type { HeadKeeper } from '../features/audit/index.ts';
import type { DiagnosticsLog } from '../features/diagnostics/index.ts';
import type { Kubeconfigs } from '../features/kubeconfigs/index.ts';
import type { SandboxControl } from '../features/sandbox/index.ts';
import type { KeptSecrets, Keys, LiveSettings } from '../features/settings/index.ts';
import type { SameSite } from '../features/sign-in/index.ts';
import type { Targets } from '../features/targets/index.ts';
import type { CodeHost } from '../sources/code-host/index.ts';
import type { Registry } from '../sources/registry/index.ts';
import type { Network } from '../sources/service-probe/index.ts';
import type { Store } from '../store/index.ts';
import type { ConsoleTables } from './tables.ts';

/** The parts a console is built from, opened and closed by their owner. */
export type ConsoleParts = {
  readonly store: Store<ConsoleTables>;
  /** The settings as they are now, of which `config` is what the console was started with. */
  readonly current: () => Config;
  readonly sandbox: SandboxControl & {
    /**
     * Keeps what the sandbox platform and its agents report while it runs: run outcomes, reports and commands; what is
     * made up never stands beside what is real.
     */
    store(): Store<ConsoleTables> | undefined;
    /** Its data sources; undefined while it does not run. */
    data(): SandboxData | undefined;
  };
  readonly keys: Keys;
  /** Keeps what belongs to connections and providers. */
  readonly secrets: KeptSecrets;
  /** Network access for probes of connections. */
  readonly network: Network;
  readonly settings: LiveSettings;
  /** Storage of the audit chain's head outside the store. */
  readonly auditHead: HeadKeeper | undefined;
  readonly codeHost: CodeHost;
  readonly registry: Registry;
  readonly targets: Targets;
  readonly kubeconfigs: Kubeconfigs;
  readonly log: Logger;
  readonly diagnosticsLog: DiagnosticsLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Folder of the web app bundle. */
  readonly webDir: string;
  readonly version: string;
  /** The command that prints a new sign-in link for this console, with its data folder. */
  readonly signInCommand: string;
  /** SameSite attribute of the session cookie. */
  readonly sameSite: SameSite;
};

/** A console that listens. */
export type OperatorConsole = {
  /** Origin on which it listens, such as `http://127.0.0.1:41123`. */
  readonly url: string;
  /** Origin that a person's browser should open: the public one, or a host name that is the console's alone. */
  readonly browserOrigin: string;
  /** A one-time sign-in link for a browser, or undefined when the local operator is off. */
  signInLink(): Promise<string | undefined>;
  /** A session of the local operator for the desktop window, handed over by the main process, never by URL. */
  startOperatorSession(): Promise<{ token: string; email: string } | undefined>;
  /** Facts about it to hand over with a question, secrets removed. */
  diagnostics(): Promise<Diagnostics>;
  /** Stops accepting, lets open requests finish for at most `drainMs`, then cuts them off. */
  close(drainMs?: number): Promise<void>;
};
