import type { routeTable } from '../../src-shared/api/index.ts';
import type { TestConsole } from './test-console.ts';

type WriteRoute = Extract<(typeof routeTable)[number], { access: { kind: 'write' } }>;

/** A request of a privileged write, and the target that its audit record names. */
export type Act = {
  readonly address?: string;
  /** JSON, or bytes that are uploaded. */
  readonly body?: object | Buffer;
  readonly target: string;
};

/** How to do what a route is for, and how to have it fail once the caller is admitted. */
export type Acts = {
  success(console: TestConsole): Act | Promise<Act>;
  failure(console: TestConsole): Act | Promise<Act>;
  /** What a person who is on no list is refused, where they may do the first. */
  refusal?(console: TestConsole): Act | Promise<Act>;
};

const admin = 'ada@northgate.example';
const unknown = '0123456789abcdef';

/** A connection that a test registers. */
export const ordersConnection = {
  name: 'orders',
  type: 'postgres',
  tenant: 'northgate',
  settings: { host: 'db.northgate.example', database: 'orders', user: 'reader' },
  credentials: { password: 'p-of-orders' },
};

async function post(
  console: TestConsole,
  path: string,
  body: object,
): Promise<Record<string, { id: string }>> {
  const answer = await fetch(`${console.url}${path}`, {
    method: 'POST',
    headers: { cookie: await console.cookieOf(admin), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, { id: string }>;
}

/** A fresh name, so that acts may be performed more than once on a console. */
let made = 0;
const fresh = (name: string): string => {
  made += 1;
  return `${name}-${made}`;
};

async function newConnection(console: TestConsole): Promise<string> {
  const { id } = await post(console, '/api/connections', { ...ordersConnection, name: fresh('orders') });
  return String(id);
}

async function newRunner(console: TestConsole): Promise<{ id: string; ticket: string }> {
  const { runner, ticket } = await post(console, '/api/runners', { name: fresh('edge') });
  return { id: runner?.id ?? '', ticket: ticket?.id ?? '' };
}

type DataSourceWrite = Extract<
  WriteRoute['id'],
  `connections.${string}` | `runners.${string}` | `providers.${string}`
>;

/** The privileged writes of connections, runners and providers. */
export const dataSourceActs: Record<DataSourceWrite, Acts> = {
  'connections.create': {
    success: () => ({ body: ordersConnection, target: 'orders' }),
    failure: () => ({ body: { ...ordersConnection, settings: {} }, target: 'orders' }),
  },
  'connections.change': {
    async success(console) {
      const id = await newConnection(console);
      return { address: `/api/connections/${id}`, body: { tenant: 'southgate' }, target: id };
    },
    failure: () => ({ address: `/api/connections/${unknown}`, body: { tenant: 'x' }, target: unknown }),
  },
  'connections.delete': {
    async success(console) {
      const id = await newConnection(console);
      return { address: `/api/connections/${id}`, target: id };
    },
    failure: () => ({ address: `/api/connections/${unknown}`, target: unknown }),
  },
  'connections.refresh': {
    success: () => ({ body: {}, target: 'connections' }),
    failure: () => ({ body: { ids: [unknown] }, target: 'connections' }),
  },
  'runners.enrol': {
    success: () => ({ body: { name: 'edge' }, target: 'edge' }),
    failure: () => ({ body: { name: '' }, target: '' }),
  },
  'runners.ticket': {
    async success(console) {
      const { id } = await newRunner(console);
      return { address: `/api/runners/${id}/token`, body: {}, target: id };
    },
    failure: () => ({ address: `/api/runners/${unknown}/token`, body: {}, target: unknown }),
  },
  'runners.revoke': {
    async success(console) {
      const { id } = await newRunner(console);
      return { address: `/api/runners/${id}/revoke`, body: {}, target: id };
    },
    failure: () => ({ address: `/api/runners/${unknown}/revoke`, body: {}, target: unknown }),
  },
  'runners.changeAddress': {
    async success(console) {
      const { id } = await newRunner(console);
      return {
        address: `/api/runners/${id}/address`,
        body: { address: 'edge.northgate.example' },
        target: id,
      };
    },
    failure: () => ({ address: `/api/runners/${unknown}/address`, body: { address: '' }, target: unknown }),
  },
  'runners.changeLabels': {
    async success(console) {
      const { id } = await newRunner(console);
      return { address: `/api/runners/${id}/labels`, body: { labels: { zone: 'edge' } }, target: id };
    },
    failure: () => ({ address: `/api/runners/${unknown}/labels`, body: { labels: {} }, target: unknown }),
  },
  'runners.revokeTicket': {
    async success(console) {
      const { ticket } = await newRunner(console);
      return { address: `/api/runner-tokens/${ticket}`, target: ticket };
    },
    failure: () => ({ address: `/api/runner-tokens/${unknown}`, target: unknown }),
  },
  'providers.configure': {
    success: () => ({ body: { provider: 'gcp', enabled: false }, target: 'gcp' }),
    failure: () => ({ body: { provider: 'gcp', enabled: true }, target: 'gcp' }),
  },
};
