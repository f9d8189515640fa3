import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { bundleOf } from '../../support/tar-bytes.ts';

/** A person's day, over and over: signing in, looking, following, and going in one of three ways. */
export type Day = {
  readonly url: string;
  /** Signs the person in and returns the Cookie header. */
  readonly signIn: () => Promise<string>;
  /** Address of a pod's followed log. */
  readonly log: string;
};

const pages = [
  '/',
  '/api/me',
  '/api/namespaces',
  '/api/dashboard',
  '/api/cluster-nodes',
  '/api/services',
  '/api/targets',
  '/api/audit',
  '/api/troubleshoot',
  '/api/nothing-here',
];

/** Lives days until told to stop. Returns how many there were. */
export async function liveDays(day: Day, stopped: () => boolean): Promise<number> {
  let days = 0;
  for (; !stopped(); days += 1) await oneDay(day, days);
  return days;
}

async function oneDay({ url, signIn, log }: Day, index: number): Promise<void> {
  const cookie = await signIn();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const send = (method: string, path: string, body?: Buffer): Promise<{ status: number; text: string }> =>
    new Promise((resolve) => {
      const headers = {
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      };
      const asked = ask(`${url}${path}`, { agent, method, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text = `${text}${part}`.slice(0, 10_000);
        });
        answer.on('error', () => resolve({ status: 0, text }));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', () => resolve({ status: 0, text: '' }));
      asked.end(body);
    });
  const streams = ['/api/targets/changes', '/api/targets/changes', log].map((path) =>
    follow(url, path, cookie),
  );
  for (const path of pages) await send('GET', path);
  const opened = await send(
    'POST',
    '/api/bundles?name=soak.tar.gz',
    bundleOf({ 'capture/events.json': { kind: 'List', items: [] } }),
  );
  await after(1500);
  const id = /"id":"([a-z0-9]+)"/.exec(opened.text)?.[1];
  if (id !== undefined) await send('DELETE', `/api/bundles/${id}`);
  // One signs out, one closes the window, one loses the network with everything still open.
  if (index % 3 === 0) await send('POST', '/auth/logout');
  if (index % 3 !== 2) for (const stream of await Promise.all(streams)) stream?.destroy();
  else for (const stream of await Promise.all(streams)) stream?.socket.resetAndDestroy();
  agent.destroy();
}

function follow(url: string, path: string, cookie: string): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const asked = ask(
      `${url}${path}`,
      { agent: false, headers: { cookie, accept: 'text/event-stream, text/plain' } },
      (answer) => {
        answer.on('error', () => undefined).resume();
        resolve(answer);
      },
    );
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}
