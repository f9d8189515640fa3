import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { SandboxState } from '#shared/api/sandbox.ts';
import { ConsoleError } from '#shared/errors.ts';

/** The sandbox platform of a running console. */
export type SandboxControl = {
  state(): SandboxState['state'];
  /** Returns the reason it cannot be started here, and what to do instead. */
  whyNot(): string | undefined;
  /** Starts it unless it runs; resolves once the console is attached to it. */
  start(): Promise<void>;
  /** Stops it if it runs; what it reported is not served from then on. */
  stop(): Promise<void>;
};

/** The routes of the sandbox. */
export function sandboxHandlers(sandbox: SandboxControl): Handlers<Extract<RouteId, `sandbox.${string}`>> {
  const read = (): SandboxState => {
    const state = sandbox.state();
    const whyNot = state === 'off' ? sandbox.whyNot() : undefined;
    return { state, ...(whyNot === undefined ? {} : { why_not: whyNot }) };
  };
  return {
    'sandbox.read': () => read(),
    'sandbox.start': async (_input, { record }) => {
      const whyNot = sandbox.state() === 'off' ? sandbox.whyNot() : undefined;
      if (whyNot !== undefined) throw new ConsoleError('Conflict', whyNot);
      await sandbox.start();
      record('The sandbox platform was started.');
      return read();
    },
    'sandbox.stop': async (_input, { record }) => {
      if (sandbox.state() === 'off') throw new ConsoleError('NotFound', 'The sandbox is not running.');
      await sandbox.stop();
      record('The sandbox platform was stopped.');
      return read();
    },
  };
}
