import { pino } from 'pino';
import { errorMessage } from '../base/error-message.ts';
import { beginProcessEnd } from '../base/process-end.ts';
import { type Sandbox, startSandbox } from '../sandbox/index.ts';
import { type FromSandbox, type ToSandbox, toSandbox } from './sandbox-messages.ts';

/** The process of the sandbox platform: its work never holds the window's. Started by start-sandbox.ts. */
const port = process.parentPort;
const tell = (message: FromSandbox): void => port.postMessage(message);
let starting: Promise<Sandbox> | undefined;

async function start({ config, env, admin, level }: Extract<ToSandbox, { kind: 'start' }>): Promise<void> {
  const log = pino({ level }, { write: (line) => tell({ kind: 'log', line }) });
  const { CONSOLE_SESSION_ADMINS } = config.allowlists;
  const { appId } = config.codeHost;
  starting = startSandbox({
    config: { ...config, codeHost: { appId }, allowlists: { CONSOLE_SESSION_ADMINS } },
    env,
    log,
    admin,
  });
  try {
    const { env: made, data } = await starting;
    tell({ kind: 'started', env: { ...made }, data });
  } catch (error) {
    tell({ kind: 'failed', reason: errorMessage(error) });
  }
}

async function close(): Promise<void> {
  beginProcessEnd();
  try {
    await (await starting)?.close();
  } finally {
    process.exit(0);
  }
}

port.on('message', ({ data }) => {
  const message = toSandbox.parse(data);
  if (message.kind === 'start') void start(message);
  else if (message.kind === 'report') void starting?.then((sandbox) => sandbox.report(message.consoleUrl));
  else close().catch(() => undefined);
});
