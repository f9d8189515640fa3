import { afterEach, describe, expect, it } from 'vitest';
import {
  organisation,
  repository,
  type SandboxCodeHost,
  startCodeHost,
  world,
} from '../../../support/code-host.ts';
import { testConsole } from '../../../support/test-console.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const elsewhere = 77;
const minute = 60_000;

type Reporter = {
  readonly sandbox: SandboxCodeHost;
  /** Status and error of a session run report under this token. */
  report(token: string): Promise<{ status: number; error: string | undefined }>;
  advance(ms: number): void;
};

/** A console whose code host has our organisation and another one that installed the same App. */
async function reporter(): Promise<Reporter> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const place = world([repository({ name: 'campaign' })]);
  place.organisations.push(
    organisation({ login: 'elsewhere', id: elsewhere, repositories: [repository({ name: 'theirs' })] }),
  );
  const { sandbox, codeHost, close } = await startCodeHost({ world: place, now });
  opened.push(close);
  const console = await testConsole({}, { codeHost });
  opened.push(() => console.close());
  let run = 0;
  return {
    sandbox,
    advance(ms) {
      ahead += ms;
      console.advance(ms);
    },
    async report(token) {
      run += 1;
      const answer = await fetch(`${console.url}/api/session-runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          run_id: `run-${run}`,
          agent: 'reviewer',
          state: 'success',
          started_at: '2026-11-20T12:00:00Z',
        }),
      });
      const body = (await answer.json()) as { error?: string };
      return { status: answer.status, error: body.error };
    },
  };
}

describe('an agent report', () => {
  it("is taken under an installation token of the App in the console's organisation (CON-043, CON-106, CON-172)", async () => {
    const { sandbox, report } = await reporter();
    expect(await report(sandbox.tokenOf(sandbox.installationId))).toEqual({ status: 200, error: undefined });
  });

  it('is checked with the code host once in five minutes for each token (RTE-010)', async () => {
    const { sandbox, report, advance } = await reporter();
    const token = sandbox.tokenOf(sandbox.installationId);
    await report(token);
    const asked = sandbox.requests.length;
    advance(4 * minute);
    expect((await report(token)).status).toBe(200);
    expect(sandbox.requests.length).toBe(asked);
    advance(2 * minute);
    expect((await report(token)).status).toBe(200);
    expect(sandbox.requests.length).toBeGreaterThan(asked);
  });

  it('is refused under a token of another organisation', async () => {
    const { sandbox, report } = await reporter();
    const { status, error } = await report(sandbox.tokenOf(elsewhere));
    expect([status, error]).toEqual([401, expect.stringContaining('another organisation')]);
  });

  it('is refused under a token of another App in our own organisation', async () => {
    const { sandbox, report } = await reporter();
    await report(sandbox.tokenOf(sandbox.installationId));
    Object.assign(sandbox.world.app, { slug: 'somebody-elses-app' });
    const { status, error } = await report(sandbox.tokenOf(sandbox.installationId));
    expect([status, error]).toEqual([401, expect.stringContaining('another App')]);
  });

  it('is refused under a token that has expired', async () => {
    const { sandbox, report, advance } = await reporter();
    const token = sandbox.tokenOf(sandbox.installationId);
    advance(61 * minute);
    expect((await report(token)).status).toBe(401);
  });

  it('is refused under a token that is replayed after its revocation, once the last check is five minutes old', async () => {
    const { sandbox, report, advance } = await reporter();
    const token = sandbox.tokenOf(sandbox.installationId);
    expect((await report(token)).status).toBe(200);
    sandbox.revoke(token);
    advance(5 * minute);
    expect((await report(token)).status).toBe(401);
  });

  it('is refused at once under a token that was revoked before it was ever used here', async () => {
    const { sandbox, report } = await reporter();
    const token = sandbox.tokenOf(sandbox.installationId);
    sandbox.revoke(token);
    expect((await report(token)).status).toBe(401);
  });

  it.each([
    ['made up', `ghs_${'x'.repeat(36)}`],
    ["a person's", `ghp_${'x'.repeat(36)}`],
    ['a session cookie', 'Zm9vYmFyYmF6cXV4'],
    ['endless', `ghs_${'x'.repeat(3000)}`],
  ])('is refused under a token that is %s', async (_what, token) => {
    const { report } = await reporter();
    expect((await report(token)).status).toBe(401);
  });

  it('does not make the code host answer for what is no installation token by its looks', async () => {
    const { sandbox, report } = await reporter();
    await report(`ghp_${'x'.repeat(36)}`);
    expect(sandbox.requests).toEqual([]);
  });

  it('does not make the code host answer again for a token it just refused', async () => {
    const { sandbox, report } = await reporter();
    const token = `ghs_${'x'.repeat(36)}`;
    await report(token);
    const asked = sandbox.requests.length;
    await report(token);
    expect(sandbox.requests.length).toBe(asked);
  });

  it('is put off, not refused, while the code host cannot be asked', async () => {
    const { sandbox, report } = await reporter();
    const token = sandbox.tokenOf(sandbox.installationId);
    sandbox.fault({ kind: 'error', status: 502 });
    const { status, error } = await report(token);
    expect([status, error]).toEqual([503, expect.stringContaining('was not checked')]);
    sandbox.clearFaults();
    expect((await report(token)).status).toBe(200);
  });
});
