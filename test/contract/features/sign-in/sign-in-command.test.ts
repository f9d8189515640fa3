import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const dataFolder = '/srv/console';

describe('the command for a new sign-in link', () => {
  let console: TestConsole;
  afterEach(() => console.close());

  const asked = async (env = {}): Promise<string> => {
    console = await testConsole(env);
    const { body } = await request(`${console.url}/api/sign-in-command`);
    return body.text();
  };

  it('names the data folder on the machine of a console on loopback', async () => {
    expect(await asked()).toContain(`sign-in-link --data-dir ${dataFolder}`);
  });

  for (const [what, env] of [
    ['has a public address', { CONSOLE_PUBLIC_URL: 'https://console.example.com' }],
    ['is reached under other names', { CONSOLE_ALLOWED_HOSTS: 'ops.example.com' }],
    ['is behind a proxy', { CONSOLE_TRUSTED_PROXIES: '127.0.0.1' }],
    ['listens on every address', { CONSOLE_LISTEN: '0.0.0.0:0' }],
    ['has no links', { CONSOLE_LOCAL_OPERATOR: 'off' }],
  ] as const) {
    it(`tells nobody a path of the machine where the console ${what}`, async () => {
      expect(await asked(env)).toBe('{}');
    });
  }
});

describe('a page opened at a loopback address', () => {
  let console: TestConsole;
  afterEach(() => console.close());

  const opened = async (headers: Record<string, string> = {}) => {
    const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };
    const {
      statusCode,
      headers: answer,
      body,
    } = await request(`${console.url}/?tab=nodes`, {
      headers: { ...page, ...headers },
    });
    await body.dump();
    return [statusCode, answer.location];
  };

  it('leads to the host of the sign-in link, where the session will be, and keeps what was asked for', async () => {
    console = await testConsole();
    expect(await opened()).toEqual([307, `${console.browserOrigin}/?tab=nodes`]);
    const { port } = new URL(console.url);
    expect(await opened({ host: `localhost:${port}` })).toEqual([307, `${console.browserOrigin}/?tab=nodes`]);
    expect(await opened({ host: `console.localhost:${port}` })).toEqual([200, undefined]);
  });

  it('stays for whoever is signed in there, for what is no page, and behind a proxy', async () => {
    console = await testConsole();
    expect(await opened({ cookie: await console.cookie() })).toEqual([200, undefined]);
    expect(await opened({ 'sec-fetch-dest': 'iframe' })).toEqual([200, undefined]);
    await console.close();
    console = await testConsole({ CONSOLE_PUBLIC_URL: 'https://console.example.com' });
    expect(await opened()).toEqual([200, undefined]);
  });
});
