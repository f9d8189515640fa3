import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Guardrails } from '../../../../src-shared/api/guardrails.ts';
import { dialects } from '../../../support/databases.ts';
import { readAs } from '../../../support/report-doors.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'admin@example.com';

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  const opened: TestConsole[] = [];
  const removed: (() => void)[] = [];
  afterEach(async () => {
    for (const console_ of opened.splice(0)) await console_.close();
  });
  afterAll(() => {
    for (const remove of removed) remove();
  });

  const open = async (given?: Awaited<ReturnType<typeof dialect.place>>) => {
    const { place, remove } = given ?? (await dialect.place());
    removed.push(remove);
    const console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin }, { place });
    opened.push(console_);
    return console_;
  };
  const read = async (console_: TestConsole) => {
    const { status, body } = await readAs(console_, '/api/guardrails', {
      cookie: await console_.cookieOf(admin),
    });
    expect(status).toBe(200);
    return body as Guardrails;
  };
  const put = async (console_: TestConsole, body: object) => {
    const answer = await fetch(`${console_.url}/api/guardrails`, {
      method: 'PUT',
      headers: { cookie: await console_.cookieOf(admin), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: string } };
  };
  const chosen = ({ classes }: Guardrails) =>
    Object.fromEntries(classes.map((each) => [each.class, each.autonomy]));

  describe.skipIf(dialect.missing !== undefined)(`the guardrails on ${dialect.name}${why} (CON-128)`, () => {
    it('begin with a person approving, and with people only where a hard guardrail says so', async () => {
      const first = await read(await open());
      expect(first.revision).toBe(0);
      expect(chosen(first)).toEqual({
        reports: 'ask',
        agents: 'ask',
        workloads: 'ask',
        data_sources: 'ask',
        credentials: 'ask',
        deletion: 'ask',
        access: 'off',
        oversight: 'off',
      });
    });

    it('change the classes that are named, hold on another console, and after a restart', async () => {
      const given = await dialect.place();
      const [one, two] = [await open(given), await open(given)];
      const { status } = await put(one, { revision: 0, autonomy: { agents: 'auto', deletion: 'off' } });
      expect(status).toBe(200);
      const seen = await read(two);
      expect(seen).toMatchObject({ revision: 1, changed_at: expect.any(String) });
      expect(chosen(seen)).toMatchObject({ agents: 'auto', deletion: 'off', workloads: 'ask' });
      for (const console_ of opened.splice(0)) await console_.close();
      expect(chosen(await read(await open(given)))).toEqual(chosen(seen));
    });

    it('are changed once by two who change the same revision', async () => {
      const given = await dialect.place();
      const [one, two] = [await open(given), await open(given)];
      const answers = await Promise.all([
        put(one, { revision: 0, autonomy: { agents: 'auto' } }),
        put(two, { revision: 0, autonomy: { agents: 'off' } }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const conflict = answers.find(({ status }) => status === 409);
      expect(conflict?.body.error).toContain(admin);
      const after = await read(one);
      expect(after.revision).toBe(1);
      expect(chosen(after).agents).toBe(answers[0]?.status === 200 ? 'auto' : 'off');
    });

    it('are not loosened past a hard guardrail, and nothing else of that request is done', async () => {
      const console_ = await open();
      const { hard } = await read(console_);
      expect(hard.length).toBeGreaterThan(0);
      for (const { class: name, most, sentence } of hard) {
        const looser = most === 'off' ? ['ask', 'auto'] : ['auto'];
        for (const autonomy of looser) {
          const asked = { agents: 'auto', [name]: autonomy };
          const { status, body } = await put(console_, { revision: 0, autonomy: asked });
          expect([name, autonomy, status]).toEqual([name, autonomy, 422]);
          expect(body.error).toContain(sentence);
        }
      }
      const after = await read(console_);
      expect([after.revision, chosen(after).agents]).toEqual([0, 'ask']);
    });

    it('stay limited where the store says more, and off where it says what nobody chose', async () => {
      const console_ = await open();
      await console_.store.db
        .insertInto('guardrails')
        .values([
          { class: 'access', autonomy: 'auto' },
          { class: 'agents', autonomy: 'always' },
          { class: 'unknown', autonomy: 'auto' },
        ])
        .execute();
      expect(chosen(await read(console_))).toMatchObject({ access: 'off', agents: 'off' });
    });

    it('refuse classes and revisions that there are none of', async () => {
      const console_ = await open();
      for (const body of [
        { revision: 0, autonomy: { everything: 'auto' } },
        { revision: 0, autonomy: { agents: 'always' } },
        { revision: 3_000_000_000, autonomy: {} },
        { autonomy: { agents: 'off' } },
      ])
        expect((await put(console_, body)).status).toBe(400);
      expect((await put(console_, { revision: 7, autonomy: { agents: 'off' } })).status).toBe(409);
    });
  });
}
