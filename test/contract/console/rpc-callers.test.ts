import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { create, type DescMethod, type DescService, type Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowlists, ingestTokens } from '../../../src-shared/api/route.ts';
import { ErrorDetailSchema } from '../../../src-shared/gen/console/v1/errors_pb.js';
import { repoRoot } from '../../support/repo-root.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const admin = 'ada@northgate.example';
const stranger = 'sven@northgate.example';
const ingestToken = 'ingest-token-of-this-test';
const agentToken = 'ghs_installation.of-this_test';

/** Packages whose services other programs serve. */
const elsewhere = ['campaign', 'cockpit', 'studio'];

/** Every service of the console, found by its generated file: a new rpc is called by being there. */
const folder = join(repoRoot, 'src-shared/gen');
const services: DescService[] = [];
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('_pb.js') || elsewhere.includes(file.split(/[\\/]/)[0] ?? '')) continue;
  const exported: Record<string, { kind?: string }> = await import(join(folder, file));
  services.push(...Object.values(exported).filter((each): each is DescService => each?.kind === 'service'));
}

/** Services in which everybody acts on what is theirs. */
const own = ['platform.v1.WorkspaceService', 'profile.v1.ProfileService'];

/** What takes another proof than a session: a ticket, or the token of a runner. */
const byProof = ['datasource.v1.RunnersService/ConnectRunner', 'datasource.v1.RunnersService/Heartbeat'];

/** Services that ask about platform data and change nothing. */
const reading = /^(List|Get|Watch|Ask|Check)/;

const nameOf = (method: DescMethod): string => `${method.parent.typeName}/${method.name}`;

/** Who the rest is for; a new service, or one rpc of it, names its list here, or is for session admins. */
const lists: Readonly<Record<string, string>> = {
  'datasource.v1.ConnectionsService': 'CONSOLE_CONNECTION_ADMINS',
  'datasource.v1.RunnersService': 'CONSOLE_CONNECTION_ADMINS',
  'datasource.v1.ListenersService': 'CONSOLE_CONNECTION_ADMINS',
  ...Object.fromEntries(
    ['platform.v1.PlaybookService', 'platform.v1.ResolveService'].flatMap((service) => [
      [service, 'CONSOLE_CLUSTER_ADMINS'],
      [`${service}/SavePlaybook`, 'CONSOLE_SESSION_ADMINS'],
      [`${service}/DeletePlaybook`, 'CONSOLE_SESSION_ADMINS'],
    ]),
  ),
};
const listOf = (method: DescMethod): string =>
  lists[nameOf(method)] ?? lists[method.parent.typeName] ?? 'CONSOLE_SESSION_ADMINS';
/** Lists that admit everyone signed in while they are unset (CON-168). */
const openWhileUnset = ['CONSOLE_CONNECTION_ADMINS', 'CONSOLE_CLUSTER_ADMINS'];

const classOf = (method: DescMethod): 'proof' | 'own' | 'read' | 'write' => {
  if (byProof.includes(nameOf(method))) return 'proof';
  if (own.includes(method.parent.typeName)) return 'own';
  return reading.test(method.name) ? 'read' : 'write';
};

/** Calls with an empty message; returns how it ended, `undefined` for an answer. */
async function call(url: string, method: DescMethod, headers: Record<string, string>) {
  const transport = createGrpcWebTransport({ baseUrl: url, httpVersion: '1.1' });
  const signal = AbortSignal.timeout(5_000);
  const input = create(method.input) as Message;
  try {
    if (method.methodKind === 'unary')
      await transport.unary(method as never, signal, undefined, headers, input);
    else {
      const messages = (async function* () {
        yield input;
      })();
      const stream = await transport.stream(method as never, signal, undefined, headers, messages);
      // That a message came, or that it ended well, is the answer.
      for await (const _ of stream.message) break;
    }
    return undefined;
  } catch (error) {
    return ConnectError.from(error);
  }
}

describe('every rpc of the console keeps its access class (CON-152, CON-165)', () => {
  let guarded: TestConsole;
  let unset: TestConsole;
  let tokens: Record<string, string>;
  beforeAll(async () => {
    const agentTokens = { [agentToken]: { app: 'fleet', installation: 7 } };
    tokens = Object.fromEntries(ingestTokens.map((name) => [name, ingestToken]));
    const lists = Object.fromEntries(allowlists.map((name) => [name, admin]));
    guarded = await testConsole({ ...lists, ...tokens }, { agentTokens });
    unset = await testConsole({}, { agentTokens });
  });
  afterAll(async () => {
    await guarded.close();
    await unset.close();
  });

  it('finds the services that the specification names', () => {
    expect(services.map(({ typeName }) => typeName)).toEqual(
      expect.arrayContaining([
        'datasource.v1.ConnectionsService',
        'datasource.v1.ListenersService',
        'datasource.v1.RunnersService',
        'estate.v1.EstateService',
        'platform.v1.CapexService',
        'platform.v1.GovernanceService',
        'platform.v1.WorkspaceService',
        'profile.v1.ProfileService',
      ]),
    );
  });

  const shut = [Code.Unauthenticated, Code.PermissionDenied, Code.Unimplemented];

  for (const method of services.flatMap(({ methods }) => methods)) {
    const kind = classOf(method);
    const name = `${nameOf(method)} (${kind})`;

    it(`${name} refuses nobody, and tokens of machines and agents, right ones and wrong`, async () => {
      for (const headers of [
        {},
        { cookie: `console_session=${'A'.repeat(43)}` },
        { authorization: `Bearer ${ingestToken}` },
        { authorization: `Bearer ${ingestToken}x` },
        { authorization: `Bearer ${agentToken}` },
      ]) {
        const refused = await call(guarded.url, method, headers);
        // What takes another proof looks at it, and there is none.
        const codes =
          kind === 'proof' ? [Code.Unauthenticated, Code.InvalidArgument] : [Code.Unauthenticated];
        expect(codes, JSON.stringify(headers)).toContain(refused?.code);
        const [detail] = refused?.findDetails(ErrorDetailSchema) ?? [];
        expect(detail?.name).toBe(refused?.code === Code.Unauthenticated ? 'NotSignedIn' : 'BadInput');
        expect(detail?.requestId).toMatch(/\S/);
      }
    });

    it(`${name} ${kind === 'write' ? 'refuses' : 'admits'} who is signed in and on no allowlist`, async () => {
      const ended = await call(guarded.url, method, { cookie: await guarded.cookieOf(stranger) });
      if (kind === 'write') {
        expect(ended?.code).toBe(Code.PermissionDenied);
        expect(ended?.findDetails(ErrorDetailSchema)[0]?.name).toBe('NotAllowed');
      } else if (kind !== 'proof') expect(shut).not.toContain(ended?.code);
    });

    if (kind !== 'proof')
      it(`${name} admits who is on every allowlist`, async () => {
        const ended = await call(guarded.url, method, { cookie: await guarded.cookieOf(admin) });
        expect(shut).not.toContain(ended?.code);
        // What an empty message is refused for is told by name as well.
        if (ended !== undefined) expect(ended.findDetails(ErrorDetailSchema)).toHaveLength(1);
      });

    if (kind === 'write') {
      const list = listOf(method);
      const everyone = openWhileUnset.includes(list);
      it(`${name} admits ${everyone ? 'everyone' : 'nobody'} signed in while ${list} is unset`, async () => {
        const ended = await call(unset.url, method, { cookie: await unset.cookieOf(stranger) });
        expect(ended?.code === Code.PermissionDenied).toBe(!everyone);
      });
    }

    it(`${name} is not called by a page of another origin, whoever is signed in there (CON-186)`, async () => {
      const { statusCode, body } = await request(`${guarded.url}/${nameOf(method)}`, {
        method: 'POST',
        headers: {
          cookie: await guarded.cookieOf(admin),
          origin: 'http://evil.example',
          'content-type': 'application/grpc-web+proto',
        },
        body: Buffer.alloc(5),
      });
      await body.dump();
      expect(statusCode).toBe(403);
    });
  }
});

describe('the contracts of the console', () => {
  const methods = services.flatMap(({ methods: all }) => all);

  /** Lists of so few that they never need a page. */
  const short = [
    'datasource.v1.ConnectionsService/ListConnectionTypes',
    'platform.v1.GovernanceService/ListPolicies',
    'platform.v1.PlaybookService/ListPlaybooks',
    'platform.v1.ResolveService/ListPlaybooks',
  ];

  it('page every list', () => {
    const unpaged = methods
      .filter((method) => method.name.startsWith('List') && !short.includes(nameOf(method)))
      .filter(({ input, output }) => {
        const asked = input.fields.map(({ name }) => name);
        const told = output.fields.map(({ name }) => name);
        return !(
          asked.includes('page_size') &&
          asked.includes('page_token') &&
          told.includes('next_page_token')
        );
      });
    expect(unpaged.map(nameOf)).toEqual([]);
  });

  it('change only the fields that a caller names: by a field mask, or by fields that may be left out', () => {
    const whole = methods
      .filter(({ name }) => name.startsWith('Update'))
      .filter(({ input }) => {
        const masked = input.fields.some(({ name }) => name === 'update_mask');
        // Messages and `optional` fields say whether they are there (explicit presence).
        return !masked && !input.fields.every(({ name, presence }) => name === 'id' || presence === 1);
      });
    expect(whole.map(nameOf)).toEqual([]);
  });
});
