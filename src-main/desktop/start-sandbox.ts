import { join } from 'node:path';
import { utilityProcess } from 'electron';
import { z } from 'zod';
import { processEnd } from '../base/process-end.ts';
import { withoutSecrets } from '../config/index.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/index.ts';
import { projectRoot } from '../start/program.ts';
import { fromSandbox, type ToSandbox } from './sandbox-messages.ts';

/** Time the platform has to close, in ms; its process is then ended. */
const closeWithin = 800;
/** Variables the platform's studio reads; no other one leaves this process by message. */
const ofStudio = /^(?:STUDIO|INFERENCE)_/;
const logLine = z.looseObject({ level: z.number(), msg: z.string().default('') });

/**
 * Starts the sandbox platform in a process of its own, which ends with this one: what it computes, and it computes for
 * whole tenths of a second, never holds the window. Rejects with why it did not start; nothing is left of it then.
 */
export async function startSandboxProcess({ config, env, log, admin }: SandboxOptions): Promise<Sandbox> {
  processEnd.throwIfAborted();
  const child = utilityProcess.fork(join(projectRoot(), 'out', 'main', 'sandbox-process.js'), [], {
    serviceName: 'Operator Console sandbox',
    stdio: 'inherit',
    env: definedOnly(withoutSecrets(env)),
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const started = Promise.withResolvers<Pick<Sandbox, 'env' | 'data'>>();
  let closing = false;
  // What is not started has nothing to finish: it goes at once.
  const giveUp = (): void => {
    closing = true;
    child.kill();
    started.reject(processEnd.reason);
  };
  processEnd.addEventListener('abort', giveUp, { once: true });
  child.on('exit', (code) => {
    started.reject(new Error(`the sandbox's process ended with code ${code}`));
    if (!closing) log.error({ code }, "the sandbox's process ended by itself");
    end();
  });
  child.on('message', (data: unknown) => {
    const message = fromSandbox.parse(data);
    if (message.kind === 'started') started.resolve({ env: message.env, data: message.data });
    else if (message.kind === 'failed') started.reject(new Error(message.reason));
    else {
      const {
        level,
        msg,
        time: _time,
        pid: _pid,
        hostname: _host,
        ...fields
      } = logLine.parse(JSON.parse(message.line));
      const write = level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';
      log[write](fields, msg);
    }
  });
  const close = async (): Promise<void> => {
    closing = true;
    child.postMessage({ kind: 'close' } satisfies ToSandbox);
    const late = setTimeout(() => child.kill(), closeWithin);
    await ended;
    clearTimeout(late);
  };
  const { appId } = config.codeHost;
  const { CONSOLE_SESSION_ADMINS: admins } = config.allowlists;
  const start: ToSandbox = {
    kind: 'start',
    config: {
      dataDir: config.dataDir,
      kubeconfig: [...config.kubeconfig],
      adminEmail: config.adminEmail,
      codeHost: appId === undefined ? {} : { appId },
      allowlists: admins === undefined ? {} : { CONSOLE_SESSION_ADMINS: [...admins] },
      voice: {
        ...(config.voice.tts === undefined ? {} : { tts: true }),
        ...(config.voice.stt === undefined ? {} : { stt: true }),
      },
    },
    env: Object.fromEntries(Object.entries(env).filter(([name]) => ofStudio.test(name))),
    admin,
    level: log.level,
  };
  child.postMessage(start);
  try {
    return {
      ...(await started.promise),
      report: async (consoleUrl) => child.postMessage({ kind: 'report', consoleUrl } satisfies ToSandbox),
      ended,
      close,
    };
  } catch (error) {
    if (processEnd.aborted) await ended;
    else await close();
    throw error;
  } finally {
    processEnd.removeEventListener('abort', giveUp);
  }
}

function definedOnly(env: SandboxOptions['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
