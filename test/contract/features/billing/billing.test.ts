import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { readPlans } from '../../../../src-main/features/billing/plans.ts';
import {
  type SandboxPayments,
  signatureOf,
  startSandboxPayments,
} from '../../../../src-main/sandbox/payments/index.ts';
import { apiVersion } from '../../../../src-main/sources/payments/index.ts';
import { dialects } from '../../../support/databases.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const admin = 'ada@northgate.example';
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

async function ask(
  console_: TestConsole,
  method: string,
  path: string,
  body?: unknown,
  cookie?: string,
): Promise<Answer> {
  const response = await fetch(`${console_.url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: Answer['body'] = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body: answer };
}

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (
    env: Readonly<Record<string, string>> = {},
    sandbox: Partial<Parameters<typeof startSandboxPayments>[0]> = {},
  ): Promise<{ console_: TestConsole; payments: SandboxPayments }> => {
    const payments = await startSandboxPayments({ catalogue: readPlans(), apiVersion, ...sandbox });
    closing.push(() => payments.close());
    const { place, remove } = await dialect.place();
    closing.push(remove);
    const console_ = await testConsole(
      {
        STRIPE_API_URL: payments.url,
        STRIPE_SECRET_KEY: payments.secretKey,
        STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
        CONSOLE_SESSION_ADMINS: admin,
        ...env,
      },
      { place },
    );
    closing.push(() => console_.close());
    return { console_, payments };
  };
  /** Pays as a person does: on the provider's page. */
  const pay = async ({ body }: Answer): Promise<Response> => {
    const { url } = body.checkout as { url: string };
    expect(await (await fetch(url)).text()).toContain('Pay with the test card');
    return fetch(url, { method: 'POST', redirect: 'manual' });
  };
  const bought = async (console_: TestConsole, email: string) => {
    const cookie = await console_.cookieOf(email);
    await expect
      .poll(async () => (await ask(console_, 'GET', '/api/billing', undefined, cookie)).body.subscriptions)
      .toMatchObject([{ status: 'active', plan: 'team' }]);
    return cookie;
  };

  describe.skipIf(dialect.missing !== undefined)(`billing on ${dialect.name}${why}`, () => {
    it('publishes its plans to anyone (CON-147)', async () => {
      const { console_ } = await open();
      const { status, body } = await ask(console_, 'GET', '/api/plans');
      expect(status).toBe(200);
      expect(body).toEqual(readPlans());
    });

    it('sells a plan from checkout to subscription, invoice and seats (CON-149, CON-150, CON-151, CON-178)', async () => {
      const { console_, payments } = await open();
      const cookie = await console_.cookieOf(admin);
      const order = { plan: 'team', interval: 'month', seats: 2 };
      const checkout = await ask(console_, 'POST', '/api/checkout', order, cookie);
      expect(checkout.body.quote).toEqual({ ...order, currency: 'eur', amount: 2900, total: 5800 });
      // Two clicks make one checkout.
      expect((await ask(console_, 'POST', '/api/checkout', order, cookie)).body.checkout).toEqual(
        checkout.body.checkout,
      );
      expect((await ask(console_, 'GET', '/api/billing', undefined, cookie)).body.pending).toMatchObject({
        quote: order,
      });
      expect((await pay(checkout)).headers.get('location')).toContain('?tab=billing&checkout=done');
      await bought(console_, admin);
      await expect
        .poll(async () => (await ask(console_, 'GET', '/api/billing', undefined, cookie)).body)
        .toMatchObject({
          source: 'store',
          complete: true,
          payments: { configured: true, missing: [], events: true, api_version: apiVersion },
          subscriptions: [{ plan: 'team', interval: 'month', seats: 2, usable: true, test: true }],
          invoices: [{ status: 'paid', total: 5800, currency: 'eur', number: expect.stringMatching(/^NG-/) }],
        });
      await expect
        .poll(async () => (await ask(console_, 'GET', '/api/billing', undefined, cookie)).body.pending)
        .toBeUndefined();
      // On every request: another version of the provider's API has other fields.
      for (const request of payments.requests) expect(request).toMatch(new RegExp(` ${apiVersion}$`));
    });

    it('gives seats of the subscription away within their count, once each, and takes them back (CON-150)', async () => {
      const { console_ } = await open();
      await pay(
        await ask(
          console_,
          'POST',
          '/api/checkout',
          { plan: 'team', seats: 2 },
          await console_.cookieOf(admin),
        ),
      );
      const cookie = await bought(console_, admin);
      const seat = (email: string) => ask(console_, 'POST', '/api/billing/seats', { email }, cookie);
      expect((await seat('Grace@Northgate.example')).body).toMatchObject({
        seats: [{ email: 'grace@northgate.example' }],
        free: 1,
      });
      expect((await seat('grace@northgate.example')).body).toMatchObject({ free: 1 });
      // Many at once take the last one only once.
      const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => seat(`${name}@northgate.example`)));
      expect(others.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
      expect(others.find(({ status }) => status === 422)?.body.error).toContain('All 2 seats are taken');
      const path = '/api/billing/seats?email=grace%40northgate.example';
      expect((await ask(console_, 'DELETE', path, undefined, cookie)).body).toMatchObject({ free: 1 });
      expect((await ask(console_, 'DELETE', path, undefined, cookie)).status).toBe(404);
      // Somebody else's subscription is nobody's business, and has no seats to give.
      const other = await console_.cookieOf('eve@northgate.example');
      expect((await ask(console_, 'GET', '/api/billing/seats', undefined, other)).body).toMatchObject({
        seats: [],
        free: 0,
      });
      expect(
        (await ask(console_, 'POST', '/api/billing/seats', { email: 'eve@northgate.example' }, other)).status,
      ).toBe(404);
      expect((await ask(console_, 'DELETE', path, undefined, other)).status).toBe(404);
      const { body } = await ask(console_, 'GET', '/api/audit?action=billing.add_seat', undefined, cookie);
      expect(body.items).toContainEqual(
        expect.objectContaining({ actor: admin, outcome: 'success', target: 'grace@northgate.example' }),
      );
    });

    it('signs anyone up: a pending subscription and a checkout, the same for a known address (CON-148)', async () => {
      const { console_ } = await open();
      const order = { email: 'New@Buyer.example', plan: 'team', seats: 1 };
      const first = await ask(console_, 'POST', '/api/signup', order);
      expect(first).toMatchObject({ status: 200, body: { state: 'pending', quote: { total: 2900 } } });
      await pay(first);
      await bought(console_, 'new@buyer.example');
      const again = await ask(console_, 'POST', '/api/signup', order);
      expect(again.status).toBe(200);
      expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
      expect(again.body.next).toBe(first.body.next);
    });

    it('bounds sign-ups of one network and says when to try again', async () => {
      const { console_ } = await open();
      const signUp = (n: number) =>
        ask(console_, 'POST', '/api/signup', { email: `p${n}@buyer.example`, plan: 'team' });
      for (let n = 0; n < 5; n += 1) expect((await signUp(n)).status).toBe(200);
      const refused = await signUp(5);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      console_.advance(601_000);
      expect((await signUp(6)).status).toBe(200);
    });

    it('says what is not set up, and pretends nothing', async () => {
      const { console_ } = await open({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' });
      const cookie = await console_.cookieOf(admin);
      const checkout = await ask(console_, 'POST', '/api/checkout', { plan: 'team' }, cookie);
      expect(checkout.body).toEqual({
        quote: expect.objectContaining({ total: 2900 }),
        why_not: expect.stringContaining('STRIPE_SECRET_KEY'),
      });
      expect((await ask(console_, 'GET', '/api/billing', undefined, cookie)).body).toMatchObject({
        payments: {
          configured: false,
          missing: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
          events: false,
        },
        subscriptions: [],
      });
      const signUp = await ask(console_, 'POST', '/api/signup', { email: 'a@buyer.example', plan: 'team' });
      expect(signUp.body.next).toContain('Payments are not set up');
      expect(signUp.body).not.toHaveProperty('checkout');
      const webhook = await ask(console_, 'POST', '/api/stripe/webhook', {});
      expect(webhook).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining('STRIPE_WEBHOOK_SECRET') },
      });
    });

    it('refuses orders that the catalogue does not have', async () => {
      const { console_ } = await open();
      const cookie = await console_.cookieOf(admin);
      for (const order of [
        { plan: 'gold' },
        { plan: 'team', seats: 11 },
        { plan: 'business', seats: 4 },
        { plan: 'enterprise', interval: 'month', seats: 25 },
        { plan: 'team', seats: 1.5 },
        { plan: 'team', price: 1 },
      ])
        expect(
          (await ask(console_, 'POST', '/api/checkout', order, cookie)).status,
          JSON.stringify(order),
        ).toBe(400);
    });

    it('makes no checkout at another price than it quoted', async () => {
      const catalogue = structuredClone(readPlans());
      const [price] = catalogue.plans[0]?.prices ?? [];
      if (price !== undefined) price.amount = 3100;
      const { console_ } = await open({}, { catalogue });
      const { status, body } = await ask(
        console_,
        'POST',
        '/api/checkout',
        { plan: 'team' },
        await console_.cookieOf(admin),
      );
      expect(status).toBe(503);
      expect(body.error).toContain('€31.00');
      expect(body.error).toContain('€29.00');
      expect(
        (await ask(console_, 'GET', '/api/billing', undefined, await console_.cookieOf(admin))).body.pending,
      ).toBeUndefined();
    });

    it('says what is wrong when the provider fails, without its key', async () => {
      const { console_, payments } = await open({ STRIPE_SECRET_KEY: 'sk_test_of_somebody_else' });
      const { status, body } = await ask(
        console_,
        'POST',
        '/api/checkout',
        { plan: 'team' },
        await console_.cookieOf(admin),
      );
      expect(status).toBe(503);
      expect(body.error).toContain('refused STRIPE_SECRET_KEY');
      expect(JSON.stringify(body)).not.toMatch(/sk_test/);
      await payments.close();
      const away = await ask(
        console_,
        'POST',
        '/api/checkout',
        { plan: 'team' },
        await console_.cookieOf(admin),
      );
      expect(away.body.error).toContain('could not be reached');
    });

    it('takes an event by its signature over the raw body only, and once (CON-151)', async () => {
      const { console_, payments } = await open({}, { onEvent: () => undefined });
      const { account, webhookSecret } = payments;
      const [price] = account.prices;
      if (price === undefined) expect.fail('no price');
      const made = account.start({ email: admin, price, seats: 3, metadata: {} });
      const [event] = account.events;
      if (event === undefined) expect.fail('no event');
      const post = async (body: string, signature?: string, type = 'application/json') => {
        const response = await fetch(`${console_.url}/api/stripe/webhook`, {
          method: 'POST',
          headers: {
            'content-type': type,
            ...(signature === undefined ? {} : { 'stripe-signature': signature }),
          },
          body,
        });
        return { status: response.status, body: await response.json() };
      };
      const signed = (body: string, at = Date.now()) => signatureOf(body, webhookSecret, at);
      const spaced = event.json.replace('{', '{ ');
      expect((await post(event.json)).status).toBe(401);
      expect((await post(spaced, signed(event.json))).status).toBe(401);
      expect((await post(event.json, signatureOf(event.json, 'whsec_x', Date.now()))).status).toBe(401);
      expect((await post(event.json, signed(event.json, Date.now() - 400_000))).status).toBe(401);
      expect((await post(event.json, signed(event.json, Date.now() + 400_000))).status).toBe(401);
      const double = `t=${Math.floor(Date.now() / 1000)},${signed(event.json)}`;
      expect((await post(event.json, double)).status).toBe(401);
      expect((await post('[]', signed('[]'))).status).toBe(400);
      expect((await post('{', signed('{'))).status).toBe(400);
      // Nothing of all that was believed or fetched.
      expect(await console_.store.db.selectFrom('billing_events').selectAll().execute()).toEqual([]);
      expect(await post(spaced, signed(spaced))).toEqual({
        status: 200,
        body: { received: true, duplicate: false },
      });
      expect(await post(event.json, signed(event.json))).toEqual({
        status: 200,
        body: { received: true, duplicate: true },
      });
      // The event says `incomplete`; what is stored is what the provider says now.
      expect(event.json).toContain('"incomplete"');
      const row = () =>
        console_.store.db.selectFrom('billing_subscriptions').select(['id', 'status', 'seats']).execute();
      await expect.poll(row).toEqual([{ id: made.id, status: 'active', seats: 3 }]);
    });

    it('fetches again when a hint comes while an older answer is on its way (CON-151)', async () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let fetches = 0;
      const { console_, payments } = await open(
        {},
        {
          onEvent: () => undefined,
          hold: async (path) => {
            if (path.startsWith('/v1/subscriptions/')) fetches += 1;
            if (fetches === 1) await held;
          },
        },
      );
      const { account, webhookSecret } = payments;
      const post = async (): Promise<void> => {
        const { json } = account.events.at(-1) ?? expect.fail('no event');
        const headers = {
          'stripe-signature': signatureOf(json, webhookSecret, Date.now()),
          'content-type': 'application/json',
        };
        const { status } = await fetch(`${console_.url}/api/stripe/webhook`, {
          method: 'POST',
          headers,
          body: json,
        });
        expect(status).toBe(200);
      };
      const made = account.start({
        email: admin,
        price: account.prices[0] ?? expect.fail('no price'),
        seats: 3,
        metadata: {},
      });
      await post();
      await expect.poll(() => fetches).toBe(1);
      account.acts.resize(made, 8);
      await post();
      release();
      const seats = async () =>
        (await console_.store.db.selectFrom('billing_subscriptions').select('seats').execute()).map(
          (row) => row.seats,
        );
      await expect.poll(seats).toEqual([8]);
      expect(fetches).toBe(2);
    });

    it('follows no ID that would become another path of the provider', async () => {
      const { console_, payments } = await open({}, { onEvent: () => undefined });
      const before = payments.requests.length;
      for (const id of ['../customers/cus_1', 'sub_1/../../x', 'sub_1?expand=x', 'in_1']) {
        const body = JSON.stringify({
          id: `evt_${Buffer.from(id).toString('hex')}`,
          object: 'event',
          type: 'customer.subscription.updated',
          created: 1,
          data: { object: { id } },
        });
        const response = await fetch(`${console_.url}/api/stripe/webhook`, {
          method: 'POST',
          headers: {
            'stripe-signature': signatureOf(body, payments.webhookSecret, Date.now()),
            'content-type': 'application/json',
          },
          body,
        });
        expect(response.status).toBe(200);
      }
      expect(await console_.store.db.selectFrom('billing_objects').selectAll().execute()).toEqual([]);
      expect(payments.requests.slice(before).filter((request) => !request.includes('/v1/events'))).toEqual(
        payments.requests.slice(before).filter((request) => /\/v1\/(subscriptions|invoices) /.test(request)),
      );
    });

    it('asks reCAPTCHA on the server when its secret is set, and lets nobody pass without it (CON-148)', async () => {
      let answer: object | undefined = { success: true };
      const asked: string[] = [];
      const recaptcha = createServer((request, response) => {
        request.on('data', (piece) => asked.push(String(piece)));
        request.on('end', () => {
          if (answer === undefined) response.destroy();
          else response.end(JSON.stringify(answer));
        });
      });
      await new Promise<void>((resolve) => recaptcha.listen(0, '127.0.0.1', resolve));
      closing.push(() => new Promise<void>((resolve) => void recaptcha.close(() => resolve())));
      const address = recaptcha.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const { console_ } = await open({
        RECAPTCHA_SECRET_KEY: 'recaptcha-secret',
        RECAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
      });
      const signUp = (recaptchaToken?: string) =>
        ask(console_, 'POST', '/api/signup', {
          email: 'a@buyer.example',
          plan: 'team',
          recaptcha: recaptchaToken,
        });
      expect((await signUp()).status).toBe(422);
      expect(asked).toEqual([]);
      expect((await signUp('solved')).status).toBe(200);
      expect(asked.join('')).toBe('secret=recaptcha-secret&response=solved');
      console_.advance(3_700_000);
      for (const no of [
        { success: false },
        { success: true, score: 0.1 },
        { success: true, score: 0.9, action: 'login' },
      ]) {
        answer = no;
        expect((await signUp('solved')).status, JSON.stringify(no)).toBe(422);
        console_.advance(3_700_000);
      }
      answer = undefined;
      const away = await signUp('solved');
      expect(away.status).toBe(503);
      expect(JSON.stringify(away.body)).not.toContain('recaptcha-secret');
    });
  });
}
