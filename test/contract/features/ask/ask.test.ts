import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleTables, consoleMigrations } from '../../../../src-main/console/tables.ts';
import { shippedPassages } from '../../../../src-main/features/ask/passages.ts';
import { questionWords, rank } from '../../../../src-main/features/ask/rank.ts';
import { indexPassages, passagesWith } from '../../../../src-main/features/ask/store.ts';
import { readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import { openStore } from '../../../../src-main/store/index.ts';
import { AskService, CitationKind } from '../../../../src-shared/gen/platform/v1/ask_pb.js';
import { type DoubleRequest, modelDouble } from '../../../support/chat.ts';
import { dialects } from '../../../support/databases.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { deployment, minutesAgo, pod, waiting } from '../cluster/harness.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let console_: TestConsole;
const open = async (env: Record<string, string> = {}): Promise<void> => {
  console_ = await testConsole(env, {
    cluster: objectCluster(
      [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        deployment({ name: 'checkout', namespace: 'shop', ready: 0 }),
        pod({
          name: 'checkout-1',
          namespace: 'shop',
          of: 'checkout',
          status: waiting('CrashLoopBackOff', 'back-off', {
            restartCount: 5,
            lastState: {
              terminated: {
                exitCode: 1,
                reason: 'Error',
                startedAt: minutesAgo(3),
                finishedAt: minutesAgo(2),
              },
            },
          }),
        }),
      ] as Parameters<typeof objectCluster>[0],
      {
        logs: {
          'shop/checkout-1/main': 'starting\ndial tcp 10.0.0.9:5432: connect: connection refused\n',
        },
        source: 'bundle',
        takenAt: Date.now(),
      },
    ),
  });
  closing.push(() => console_.close());
};

async function ask(question: string, cookie?: string) {
  const client = rpcClient(AskService, console_.url, { cookie: cookie ?? (await console_.cookie()) });
  const citations = [];
  let text = '';
  let done: { writtenBy: string; hasEvidence: boolean; notSearched: string[] } | undefined;
  let pieces = 0;
  for await (const { part } of client.ask({ question })) {
    if (part.case === 'citation') citations.push(part.value);
    if (part.case === 'text') {
      text += part.value;
      pieces += 1;
    }
    if (part.case === 'done') done = part.value;
  }
  return { citations, text, done, pieces };
}

describe('AskService (CON-158)', () => {
  it('answers with the places its facts are from: page, finding and catalogue', async () => {
    await open();
    const { citations, text, done } = await ask('why is checkout failing?');
    expect(done).toMatchObject({ writtenBy: 'search', hasEvidence: true });
    expect(text).toMatch(/checkout.*\[1\]/s);
    expect(citations[0]).toMatchObject({
      number: 1,
      kind: CitationKind.PAGE,
      address: expect.stringContaining('tab=troubleshoot'),
    });
    for (const { address } of citations) expect(address).toMatch(/^\/(\?|$)/);
  });

  it('cites the line of a log with its file and line', async () => {
    await open();
    const { citations } = await ask('which container had its connection refused?');
    expect(citations).toContainEqual(
      expect.objectContaining({
        kind: CitationKind.LOG,
        file: expect.stringContaining('checkout-1'),
        line: 2,
        quote: expect.stringContaining('connection refused'),
      }),
    );
  });

  it('answers from the catalogue what no page shows', async () => {
    await open();
    const { citations, done } = await ask('what does the exec format error of an image mean?');
    expect(done?.hasEvidence).toBe(true);
    expect(citations[0]).toMatchObject({
      kind: CitationKind.DOCUMENT,
      address: expect.stringContaining('exec-format-error'),
    });
  });

  it('says that it found nothing, and asks no model then', async () => {
    const model = await modelDouble(() => ({ text: 'Paris. [1]' }));
    closing.push(() => model.close());
    await open({ INFERENCE_REMOTE_URL: model.url });
    const { citations, text, done } = await ask('what is the capital of France?');
    expect([citations, text, done?.hasEvidence]).toEqual([
      [],
      'Nothing that the console can show you answers this.',
      false,
    ]);
    expect(model.requests).toEqual([]);
  });

  it('searches what the asker may read: audit records are cited to session admins only', async () => {
    await open({ CONSOLE_SESSION_ADMINS: 'operator@console.localhost' });
    const cookie = await console_.cookie();
    const admin = await ask('which sign_in by desktop was there?', cookie);
    expect(admin.citations.map(({ kind }) => kind)).toContain(CitationKind.AUDIT);
    const other = await ask(
      'which sign_in by desktop was there?',
      await console_.cookieOf('eve@northgate.example'),
    );
    expect(other.citations.map(({ kind }) => kind)).not.toContain(CitationKind.AUDIT);
    expect(other.done?.notSearched).toContainEqual(
      expect.stringMatching(/Audit records: .*CONSOLE_SESSION_ADMINS/),
    );
  });

  it('streams the words of the model, which has the evidence and no tools, and names it', async () => {
    const model = await modelDouble(() => ({
      text: 'The pod has no session signing key [1]. Set AUTH_JWT_SECRET [2]. See also [9].',
    }));
    closing.push(() => model.close());
    await open({ INFERENCE_REMOTE_URL: model.url, INFERENCE_MODEL: 'double-2' });
    const { text, done, pieces } = await ask('why is checkout failing?');
    expect(text).toBe('The pod has no session signing key [1]. Set AUTH_JWT_SECRET [2]. See also .');
    expect(done).toMatchObject({ writtenBy: 'double-2', hasEvidence: true });
    expect(pieces).toBeGreaterThan(1);
    const [asked] = model.requests as DoubleRequest[];
    expect(asked).not.toHaveProperty('tools');
    expect(asked?.max_tokens).toBe(700);
    expect(asked?.messages.at(-1)?.content).toContain('"evidence"');
  });

  it('answers by search when the model fails, and says why', async () => {
    const model = await modelDouble(() => ({ status: 503 }));
    closing.push(() => model.close());
    await open({ INFERENCE_REMOTE_URL: model.url, INFERENCE_MODEL: 'double-2' });
    const { text, done } = await ask('why is checkout failing?');
    expect(text).toContain('[1]');
    expect(done).toMatchObject({
      writtenBy: 'search',
      notSearched: expect.arrayContaining(['double-2 did not finish: it answered with status 503.']),
    });
  });

  it('needs a session where sign-in is configured', async () => {
    await open();
    await expect(ask('nodes', 'console_session=none')).rejects.toThrow(/not signed in/i);
  });
});

describe('the full text', () => {
  const asked: readonly (readonly [string, string])[] = [
    ['what does exec format error mean', 'symptom:exec-format-error'],
    ['the container was killed, out of memory', 'symptom:out-of-memory'],
    ['CronJob suspend arm disarm an agent', 'requirement:CON-104'],
    ['expired mesh ca certificate', 'symptom:mesh-ca-expired'],
    ['image pull unauthorised registry credentials', 'symptom:image-unauthorised'],
  ];
  const { digest, passages } = shippedPassages(readCatalogue());
  const orders: Record<string, string[][]> = {};
  for (const dialect of dialects) {
    const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
    it.skipIf(dialect.missing !== undefined)(
      `finds and ranks the same passages on ${dialect.name}${why}`,
      async () => {
        const { place, remove } = await dialect.place();
        const store = await openStore<ConsoleTables>({ location: place, migrations: consoleMigrations });
        closing.push(remove, () => store.close());
        await Promise.all([
          indexPassages(store.db, digest, passages),
          indexPassages(store.db, digest, passages),
        ]);
        await indexPassages(store.db, digest, passages);
        const { count } = await store.db
          .selectFrom('ask_passages')
          .select((row) => row.fn.countAll().as('count'))
          .executeTakeFirstOrThrow();
        expect(Number(count)).toBe(passages.length);
        const order: string[][] = [];
        for (const [question, first] of asked) {
          const words = questionWords(question);
          const found = rank(await passagesWith(store.db, words), words).map(({ item }) => item.id);
          expect([question, found.slice(0, 3)]).toEqual([question, expect.arrayContaining([first])]);
          order.push(found.slice(0, 3));
        }
        orders[dialect.name] = order;
        for (const other of Object.values(orders)) expect(order).toEqual(other);
      },
    );
  }

  it('takes words of a question only: no operator of the full text', async () => {
    expect(questionWords('a" OR * NEAR( x:y -- \'; drop table ask_passages')).not.toContainEqual(
      expect.stringMatching(/[^\p{L}\p{N}]/u),
    );
  });
});
