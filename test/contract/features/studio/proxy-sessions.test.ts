import { createServer, type Server, type ServerResponse } from 'node:http';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { listen } from './proxy-harness.ts';

const admin = 'ada@northgate.example';
const person = 'sven@northgate.example';

describe('a stream that is open when its session ends', () => {
  const answers: ServerResponse[] = [];
  let studio: Server;
  let console_: TestConsole;

  beforeAll(async () => {
    studio = createServer((_request, response) => {
      answers.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.write('first\n');
    });
    const port = await listen(studio);
    console_ = await testConsole({
      STUDIO_UPSTREAM: `http://127.0.0.1:${port}`,
      CONSOLE_SESSION_ADMINS: admin,
    });
  });
  afterEach(() => {
    for (const answer of answers.splice(0)) answer.destroy();
  });
  afterAll(async () => {
    await console_.close();
    studio.close();
  });

  /** An open stream of a new session of this person, and what becomes of it. */
  const openStream = async (email: string) => {
    const cookie = await console_.cookieOf(email);
    const { body, statusCode } = await request(`${console_.url}/studio/watch`, { headers: { cookie } });
    expect(statusCode).toBe(200);
    const stream = { cookie, state: 'open' as 'open' | 'over' };
    body
      .on('error', () => undefined)
      .on('close', () => {
        stream.state = 'over';
      })
      .resume();
    return stream;
  };

  it('ends with it, whoever ended it, and no stream of another session does', async () => {
    const [mine, theirs, other] = [
      await openStream(admin),
      await openStream(person),
      await openStream(admin),
    ];
    const revoked = await fetch(`${console_.url}/api/sessions/revoke-all`, {
      method: 'POST',
      headers: { cookie: mine.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: person }),
    });
    expect(revoked.status).toBe(200);
    await vi.waitFor(() => expect(theirs.state).toBe('over'), { timeout: 5000, interval: 20 });
    expect([mine.state, other.state]).toEqual(['open', 'open']);
    await fetch(`${console_.url}/auth/logout`, { method: 'POST', headers: { cookie: other.cookie } });
    await vi.waitFor(() => expect(other.state).toBe('over'), { timeout: 5000, interval: 20 });
    expect(mine.state).toBe('open');
  });

  it('goes on in a session that is merely silent for hours, and ends with its absolute lifetime', async () => {
    const stream = await openStream(person);
    console_.advance(3 * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stream.state).toBe('open');
    console_.advance(10 * 3_600_000);
    await vi.waitFor(() => expect(stream.state).toBe('over'), { timeout: 5000, interval: 20 });
  });
});
