import type { Acts } from './data-source-acts.ts';
import type { TestConsole } from './test-console.ts';

const forward = (name: string) => ({
  name,
  target: 'test',
  namespace: 'agents',
  kind: 'Deployment',
  object: 'idle',
  port: 8080,
});

/** Creates a forward and returns the act on it. */
async function keptForward(console: TestConsole, name: string, act = '') {
  const cookie = await console.cookieOf('ada@northgate.example');
  const answer = await fetch(`${console.url}/api/forwards`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(forward(name)),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return { address: `/api/forwards/${name}${act}`, ...(act === '' ? {} : { body: {} }), target: name };
}

/** A success and a failure of every privileged write of port forwards. */
export const forwardActs = {
  'forwards.create': {
    success: () => ({ address: '/api/forwards', body: forward('new'), target: 'new' }),
    failure: () => ({ body: { ...forward('bad'), port: 0 }, target: 'bad' }),
  },
  'forwards.start': {
    success: (console) => keptForward(console, 'kept', '/start'),
    failure: () => ({ address: '/api/forwards/none/start', body: {}, target: 'none' }),
  },
  'forwards.stop': {
    success: (console) => keptForward(console, 'kept', '/stop'),
    failure: () => ({ address: '/api/forwards/none/stop', body: {}, target: 'none' }),
  },
  'forwards.delete': {
    success: (console) => keptForward(console, 'kept'),
    failure: () => ({ address: '/api/forwards/none', target: 'none' }),
  },
} satisfies Record<string, Acts>;
