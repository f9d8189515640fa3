import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlanCatalogue } from '#shared/api/billing.ts';
import { answerWith, httpServer, requestUrl } from '../../base/http-server.ts';
import { readBody } from '../../base/read-body.ts';
import { sameSecret } from '../../base/same-secret.ts';
import { close, listen, urlOf } from '../listening.ts';
import { createSandboxAccount, type SandboxAccount, type SandboxEvent } from './account.ts';
import { type Endpoint, sendEvent } from './deliver.ts';
import { checkoutObject, invoiceObject, priceObject, subscriptionObject } from './objects.ts';
import { checkoutPage, invoicePage, resultPage } from './pages.ts';

export type { SandboxAccount, SandboxEvent } from './account.ts';
export { signatureOf } from './deliver.ts';
export { livePayments, readSandboxPlans, sandboxApiVersion } from './live.ts';

/** How the provider fails a request: a status it answers, or the connection cut. */
export type SandboxFault = 429 | 500 | 503 | 'cut';

export type SandboxPayments = {
  /** Origin of the API and of the pages it leads people to. */
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly account: SandboxAccount;
  /** Requests received, in order: method, path and API version. */
  readonly requests: readonly string[];
  close(): Promise<void>;
};

type Options = {
  readonly catalogue: PlanCatalogue;
  /** The one API version it speaks. */
  readonly apiVersion: string;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Decides how a request of the API fails, by its number; most do not. */
  readonly faultOf?: (request: number) => SandboxFault | undefined;
  /** Holds an answer of the API back: what it says is what was true when it was asked. */
  readonly hold?: (path: string) => Promise<void>;
  /** Takes the events instead of the endpoint they are delivered to. */
  readonly onEvent?: (event: SandboxEvent) => void;
};

/** A refusal in the form of the provider's error object. */
class ApiFault extends Error {
  readonly status: SandboxFault | 400 | 401 | 404;
  readonly code: string | undefined;
  readonly type: string;
  constructor(status: ApiFault['status'], code?: string, type = 'invalid_request_error') {
    super(`refused with ${status}`);
    this.status = status;
    this.code = code;
    this.type = status === 500 || status === 503 ? 'api_error' : type;
  }
}

const mostRemembered = 5_000;
const largestBody = 65_536;

/**
 * The part of the payment provider that the console uses, on loopback: the API of one account
 * (https://github.com/stripe/openapi), the pages on which people pay, and the delivery of events. What it does not have
 * answers like the provider, with its error objects. Events go to the console whose checkout was opened last.
 */
export async function startSandboxPayments(options: Options): Promise<SandboxPayments> {
  const { catalogue, apiVersion, now = Date.now, faultOf = () => undefined } = options;
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const requests: string[] = [];
  const repeated = new Map<string, { asked: string; answer: unknown }>();
  let endpoint: Endpoint | undefined;
  let count = 0;
  const server = httpServer();
  await listen(server);
  const url = urlOf(server);
  const account = createSandboxAccount({
    plans: catalogue.plans,
    currency: catalogue.currency,
    apiVersion,
    now,
    origin: () => url,
    onEvent:
      options.onEvent ??
      ((event) => {
        if (endpoint !== undefined) sendEvent(endpoint, event, { secret: webhookSecret, now });
      }),
  });

  const api = async (request: IncomingMessage, address: URL): Promise<unknown> => {
    const version = request.headers['stripe-version'];
    requests.push(`${request.method} ${address.pathname} ${String(version)}`);
    if (requests.length > mostRemembered) requests.shift();
    count += 1;
    const fault = faultOf(count);
    if (fault !== undefined) throw new ApiFault(fault, fault === 429 ? 'rate_limit' : undefined);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!sameSecret(token, secretKey)) throw new ApiFault(401);
    if (version !== apiVersion) throw new ApiFault(400, 'invalid_api_version');
    if (request.method === 'GET') return read(address);
    const body = (await readBody(request, largestBody)).toString('utf8');
    if (request.method !== 'POST' || address.pathname !== '/v1/checkout/sessions') throw new ApiFault(404);
    return openCheckout(String(request.headers['idempotency-key'] ?? ''), body);
  };

  const read = ({ pathname, searchParams }: URL): unknown => {
    const [, , kind = '', id, session] = pathname.split('/');
    if (id === undefined) {
      const all = listOf(account, kind, searchParams, url);
      if (all === undefined) throw new ApiFault(404);
      return pageOf(all, searchParams, pathname);
    }
    const found = objectOf(account, { kind, id: session ?? id, query: searchParams, origin: url });
    if (found === undefined) throw new ApiFault(404, 'resource_missing');
    return found;
  };

  const openCheckout = (key: string, body: string): unknown => {
    const before = repeated.get(key);
    if (key !== '' && before !== undefined) {
      if (before.asked === body) return before.answer;
      throw new ApiFault(400, 'idempotency_key_in_use', 'idempotency_error');
    }
    const form = new URLSearchParams(body);
    const price = account.prices.find(({ id }) => id === form.get('line_items[0][price]'));
    const successUrl = form.get('success_url') ?? '';
    if (price === undefined || form.get('mode') !== 'subscription')
      throw new ApiFault(400, 'resource_missing');
    if (!URL.canParse(successUrl)) throw new ApiFault(400, 'url_invalid');
    const checkout = account.openCheckout({
      email: form.get('customer_email') ?? '',
      order: form.get('client_reference_id') ?? '',
      price,
      seats: Number(form.get('line_items[0][quantity]') ?? 1),
      metadata: nested(form, 'metadata'),
      subscriptionMetadata: nested(form, 'subscription_data[metadata]'),
      successUrl,
      cancelUrl: form.get('cancel_url') ?? successUrl,
    });
    // An operator would register the console's address at the provider; here it is known by where people return to.
    endpoint = { origin: new URL(successUrl).origin, path: '/api/stripe/webhook' };
    const opened = checkoutObject(checkout, url);
    repeated.set(key, { asked: body, answer: opened });
    return opened;
  };

  const answerApi = async (
    request: IncomingMessage,
    response: ServerResponse,
    address: URL,
  ): Promise<void> => {
    try {
      const said = await api(request, address);
      await options.hold?.(address.pathname);
      answer(response, 200, said);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      const { status, code, type } = error;
      if (status === 'cut') request.socket.destroy();
      else
        answer(response, status, {
          error: { message: `The sandbox refused this request (${status}).`, type, code },
        });
    }
  };

  const answerPage = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const [, kind, id, session] = path.split('/');
    const checkout = kind === 'c' ? account.checkouts.get(session ?? '') : undefined;
    const invoice = kind === 'i' ? account.invoices.get(id ?? '') : undefined;
    const isOwnForm = request.headers.origin === undefined || request.headers.origin === url;
    if (invoice !== undefined) html(response, invoicePage(invoice));
    else if (checkout === undefined) html(response, resultPage('This page does not exist.'), 404);
    else if (checkout.status !== 'open') html(response, resultPage('This checkout has ended.'));
    else if (request.method !== 'POST') html(response, checkoutPage(checkout));
    else if (!isOwnForm) html(response, resultPage('This form was sent from elsewhere.'), 403);
    else {
      account.complete(checkout);
      response.writeHead(303, { location: checkout.successUrl, 'cache-control': 'no-store' }).end();
    }
  };

  answerWith(server, {
    async request(request, response) {
      const address = requestUrl(request);
      if (address?.pathname.startsWith('/v1/') === true) await answerApi(request, response, address);
      else answerPage(request, response, address?.pathname ?? '');
    },
  });
  return { url, secretKey, webhookSecret, account, requests, close: () => close(server) };
}

function listOf(
  account: SandboxAccount,
  kind: string,
  query: URLSearchParams,
  origin: string,
): readonly { readonly id: string }[] | undefined {
  switch (kind) {
    case 'prices': {
      const keys = query.getAll('lookup_keys[0]');
      return account.prices
        .filter(({ lookupKey }) => keys.length === 0 || keys.includes(lookupKey))
        .map(priceObject);
    }
    case 'subscriptions':
      return [...account.subscriptions.values()]
        .filter(({ status }) => query.get('status') === 'all' || status !== 'canceled')
        .reverse()
        .map((subscription) => subscriptionObject(subscription));
    case 'invoices':
      return [...account.invoices.values()].reverse().map((invoice) => invoiceObject(invoice, origin));
    case 'events': {
      const since = Number(query.get('created[gte]') ?? 0);
      const types = [...query].filter(([name]) => name.startsWith('types[')).map(([, type]) => type);
      return account.events
        .filter(({ created, type }) => created >= since && (types.length === 0 || types.includes(type)))
        .reverse()
        .map(({ json }): { id: string } => JSON.parse(json));
    }
    default:
      return undefined;
  }
}

function pageOf(all: readonly { readonly id: string }[], query: URLSearchParams, url: string) {
  const after = query.get('starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const limit = Math.min(Number(query.get('limit') ?? 10), 100);
  return { object: 'list', data: all.slice(from, from + limit), has_more: from + limit < all.length, url };
}

type Asked = {
  readonly kind: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly origin: string;
};

function objectOf(account: SandboxAccount, { kind, id, query, origin }: Asked): unknown {
  switch (kind) {
    case 'subscriptions': {
      const found = account.subscriptions.get(id);
      return found && subscriptionObject(found, { expandCustomer: query.get('expand[0]') === 'customer' });
    }
    case 'invoices': {
      const found = account.invoices.get(id);
      return found && invoiceObject(found, origin);
    }
    case 'checkout': {
      const found = account.checkouts.get(id);
      return found && checkoutObject(found, origin);
    }
    default:
      return undefined;
  }
}

/** Fields of a form such as `metadata[plan]`. */
function nested(form: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) && key.endsWith(']') ? [[key.slice(name.length + 1, -1), value]] : [],
    ),
  );
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(8).toString('hex')}`,
  });
  response.end(JSON.stringify(body));
}

function html(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action *",
    // With `no-referrer` a form of this page would be sent with the Origin `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
