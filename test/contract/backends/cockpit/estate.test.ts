import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from '@connectrpc/connect';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  readDocument,
  SourceUnreadable,
} from '../../../../src-main/backends/cockpit/estate/source-document.ts';
import { loopbackCertificate } from '../../../../src-main/kube-api/index.ts';
import { EstateService } from '../../../../src-shared/gen/cockpit/v1/estate_pb.js';
import { RunnerService } from '../../../../src-shared/gen/cockpit/v1/runner_pb.js';
import {
  cockpitClient,
  cockpitEnv,
  type Env,
  failureOf,
  jsonServer,
  newFolder,
  signedInOnce,
  type TestCockpit,
  testCockpit,
} from '../../../support/cockpit.ts';
import { startTestCluster } from '../../../support/kube-api.ts';
import { inputCountText, sweepInputs } from '../../../support/sweeps.ts';

// BCK-004 and BCK-074 to BCK-078: empty panels.

let session: Awaited<ReturnType<typeof signedInOnce>>;
beforeAll(async () => {
  session = await signedInOnce();
});
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
const opened = <T extends { close(): Promise<void> }>(each: T): T => {
  open.push(each);
  return each;
};

/** A control plane with its runner, and a client that is signed in. */
const platform = async (env: Env = {}, { withRunner = true } = {}) => {
  const { token } = session;
  const runner = withRunner
    ? opened(await testCockpit(cockpitEnv(session.env), { role: 'runner' }))
    : undefined;
  const plane = opened(
    await testCockpit(
      cockpitEnv({
        ...session.env,
        ...(runner === undefined ? {} : { MANAGED_RUNNER_ENDPOINT: runner.url }),
        ...env,
      }),
    ),
  );
  return { plane, runner, token, estate: cockpitClient(EstateService, plane.url, token) };
};
const document = {
  domains: [
    { name: 'billing', owner: 'team money', depends_on: ['ledger', 'billing'] },
    { name: 'harbour', depends_on: ['billing'] },
    { name: 'billing', owner: 'team sea' },
  ],
};

describe('an empty estate (BCK-004, BCK-074)', () => {
  it('asks to connect a source, has none to assess, and shows no sample data', async () => {
    const { estate } = await platform();
    expect(await estate.getDomainMap({})).toMatchObject({
      domains: [],
      hint: 'No data source is connected: connect one and run a fetch.',
    });
    expect(await estate.getPosture({})).toMatchObject({
      findings: [],
      hint: 'There is no data source to assess: connect one and run a fetch.',
    });
    expect((await estate.listSources({})).sources).toEqual([]);
    expect((await estate.search({ query: 'billing' })).domains).toEqual([]);
    await estate.connectSource({ name: 'map', url: 'https://data.example/map.json' });
    expect((await estate.getDomainMap({})).hint).toBe(
      'No fetch of a data source has ended well yet: run one.',
    );
  });
});

describe('a fetch', () => {
  it('runs on the runner, and what it found is the domain map and the posture', async () => {
    const { estate, plane, token } = await platform();
    const source = opened(await jsonServer(() => document));
    await estate.connectSource({ name: 'map', url: source.url });
    expect((await estate.fetch({ source: 'map' })).domains).toBe(2);
    const { domains, hint } = await estate.getDomainMap({});
    expect(hint).toBe('');
    expect(domains.map(({ name, owner, dependsOn, source: from }) => [name, owner, dependsOn, from])).toEqual(
      [
        ['billing', 'team money', ['ledger', 'billing'], 'map'],
        ['harbour', '', ['billing'], 'map'],
      ],
    );
    expect((await estate.getPosture({})).findings.map(({ domain, text }) => `${domain}: ${text}`)).toEqual([
      'billing: It depends on itself.',
      'billing: It depends on ledger, which the source does not describe.',
      'billing: It is described more than once; the first description counts.',
      'harbour: It has no owner.',
    ]);
    expect((await estate.listSources({})).sources[0]?.fetchedAt).toBeDefined();
    // The control plane has no such service: only a runner reads sources.
    const direct = cockpitClient(RunnerService, plane.url, token).fetchSource({
      name: 'map',
      url: source.url,
    });
    expect((await failureOf(direct)).code).toBe(Code.Unimplemented);
    expect(source.requests).toHaveLength(1);
  });

  it('keeps what was there when a later one fails', async () => {
    const { estate } = await platform();
    let status = 200;
    const source = opened(
      await jsonServer((_, response) => {
        if (status === 200) return document;
        response.writeHead(status).end();
        return undefined;
      }),
    );
    await estate.connectSource({ name: 'map', url: source.url });
    await estate.fetch({ source: 'map' });
    status = 500;
    expect(await failureOf(estate.fetch({ source: 'map' }))).toEqual({
      code: Code.Unavailable,
      message: 'The data source answered with status 500 instead of 200.',
    });
    expect((await estate.getDomainMap({})).domains).toHaveLength(2);
  });

  const unreachable =
    /^The dedicated runner is unreachable, and fetch does not run on the control plane: .*MANAGED_RUNNER_ENDPOINT/;
  it('says that the dedicated runner is unreachable without MANAGED_RUNNER_ENDPOINT (BCK-075)', async () => {
    const { estate } = await platform({}, { withRunner: false });
    await estate.connectSource({ name: 'map', url: 'http://127.0.0.1:9' });
    const failure = await failureOf(estate.fetch({ source: 'map' }));
    expect(failure).toEqual({ code: Code.Unavailable, message: expect.stringMatching(unreachable) });
  });

  it('says so when nobody listens there, when another program does, and when the runner went away (BCK-075)', async () => {
    const other = opened(await jsonServer(() => ({})));
    const ingress = opened(
      await jsonServer((_, response) => {
        response.writeHead(503).end('no healthy upstream');
      }),
    );
    for (const address of ['http://127.0.0.1:9', other.url, ingress.url]) {
      const { estate } = await platform({ MANAGED_RUNNER_ENDPOINT: address }, { withRunner: false });
      await estate.connectSource({ name: 'map', url: 'http://127.0.0.1:9' });
      expect((await failureOf(estate.fetch({ source: 'map' }))).message).toMatch(unreachable);
    }
    const { estate, runner } = await platform();
    const source = opened(await jsonServer(() => document));
    await estate.connectSource({ name: 'map', url: source.url });
    await estate.fetch({ source: 'map' });
    await runner?.close();
    expect((await failureOf(estate.fetch({ source: 'map' }))).message).toMatch(unreachable);
    expect(source.requests).toHaveLength(1);
  });

  it('passes on what a runner says that does not share the appfs root (BCK-048)', async () => {
    const stranger = opened(await testCockpit(cockpitEnv(), { role: 'runner' }));
    const { estate } = await platform({ MANAGED_RUNNER_ENDPOINT: stranger.url }, { withRunner: false });
    await estate.connectSource({ name: 'map', url: 'http://127.0.0.1:9' });
    expect(await failureOf(estate.fetch({ source: 'map' }))).toEqual({
      code: Code.Unauthenticated,
      message: 'invalid or expired session token',
    });
  });

  it.each([
    ['no JSON', 'hello', 'The document of the data source is no JSON.'],
    ['no domains', '{"domains":7}', 'The document of the data source is not a list of domains'],
    ['a domain without a name', '{"domains":[{"name":" "}]}', 'is not a list of domains'],
    ['a control character', '{"domains":[{"name":"a\\u0000b"}]}', 'is not a list of domains'],
    [
      'too many domains',
      JSON.stringify({ domains: Array.from({ length: 5001 }, (_, n) => ({ name: `d${n}` })) }),
      'is not a list of domains',
    ],
    ['too much', 'x'.repeat(5_000_000), 'The document of the data source is larger than'],
  ])('says what is wrong with a document of %s', async (_, text, message) => {
    const { estate } = await platform();
    const source = opened(
      await jsonServer((_request, response) => {
        response.writeHead(200).end(text);
      }),
    );
    await estate.connectSource({ name: 'map', url: source.url });
    const failure = await failureOf(estate.fetch({ source: 'map' }));
    expect(failure.code).toBe(Code.Unavailable);
    expect(failure.message).toContain(message);
  });

  it('takes a document as large as one may be', async () => {
    const { estate } = await platform();
    const domains = Array.from({ length: 5000 }, (_, n) => ({ name: `domain-${n}`, owner: 'x'.repeat(200) }));
    const source = opened(await jsonServer(() => ({ domains })));
    await estate.connectSource({ name: 'map', url: source.url });
    expect((await estate.fetch({ source: 'map' })).domains).toBe(5000);
  });
});

it(`reads any document a source may send, or says in words why not: ${inputCountText} of them`, () => {
  const domain = fc.record(
    {
      name: fc.oneof(fc.string(), fc.constantFrom('a', 'b')),
      owner: fc.anything(),
      depends_on: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const json = fc.oneof(
    fc
      .record({ domains: fc.array(fc.oneof(domain, fc.jsonValue())) })
      .map((value) => JSON.stringify(value) ?? ''),
    fc.json(),
    fc.string(),
  );
  const content = { domains: expect.any(Array), findings: expect.any(Array) };
  return sweepInputs(json, (text) => {
    try {
      expect(readDocument(text)).toMatchObject(content);
    } catch (error) {
      if (!(error instanceof SourceUnreadable)) throw error;
      expect(error.message).toMatch(/^The document of the data source is /);
    }
  });
});

describe('data sources', () => {
  it.each([
    ['a name that is none', 'Map', 'https://data.example'],
    ['a name too long', 'x'.repeat(64), 'https://data.example'],
    ['no address', 'map', 'data.example'],
    ['a file', 'map', 'file:///etc/passwd'],
    ['a password in the address', 'map', 'https://a:b@data.example'],
    ['an address too long', 'map', `https://data.example/${'x'.repeat(2000)}`],
  ])('refuse %s', async (_, name, url) => {
    const { estate } = await platform({}, { withRunner: false });
    expect((await failureOf(estate.connectSource({ name, url }))).code).toBe(Code.InvalidArgument);
  });

  it('have a name once, and fetches need one that is there', async () => {
    const { estate } = await platform({}, { withRunner: false });
    await estate.connectSource({ name: 'map', url: 'https://data.example' });
    expect((await failureOf(estate.connectSource({ name: 'map', url: 'https://other.example' }))).code).toBe(
      Code.AlreadyExists,
    );
    expect((await failureOf(estate.fetch({ source: 'other' }))).code).toBe(Code.NotFound);
  });

  it('are kept over a restart at SQLITE_PATH, and in memory only without it', async () => {
    for (const SQLITE_PATH of [join(newFolder(), 'cockpit.db'), undefined]) {
      const env = cockpitEnv({ ...session.env, SQLITE_PATH });
      const first = await testCockpit(env);
      await cockpitClient(EstateService, first.url, session.token).connectSource({
        name: 'map',
        url: 'https://data.example',
      });
      await first.close();
      const second: TestCockpit = opened(await testCockpit(env));
      const { sources } = await cockpitClient(EstateService, second.url, session.token).listSources({});
      expect(sources.map(({ name }) => name)).toEqual(SQLITE_PATH === undefined ? [] : ['map']);
    }
  });
});

describe('the instance picker (BCK-078)', () => {
  const instance = (name: string) => ({
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ClientInstance',
    metadata: { name, namespace: 'tenants' },
    spec: { tenant: name, controlPlaneRef: { name: 'main' } },
  });
  const cluster = async (allow: boolean) => {
    const { ca, ...tls } = loopbackCertificate(Date.now());
    const api = opened(
      await startTestCluster([instance('rowan'), instance('alder')], {
        tls,
        ca,
        users: [{ name: 'cockpit', token: 'pod-token', allow: () => allow }],
      }),
    );
    const folder = join(newFolder(), 'serviceaccount');
    mkdirSync(folder);
    writeFileSync(join(folder, 'token'), 'pod-token\n');
    writeFileSync(join(folder, 'ca.crt'), ca);
    const { hostname, port } = new URL(api.url);
    return {
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      KUBERNETES_SERVICE_ACCOUNT_DIR: folder,
    };
  };

  it('lists the client instances with the service account of the pod', async () => {
    const { estate } = await platform(await cluster(true), { withRunner: false });
    const { instances } = await estate.listInstances({});
    expect(instances.map(({ name, namespace, tenant }) => [name, namespace, tenant])).toEqual([
      ['alder', 'tenants', 'alder'],
      ['rowan', 'tenants', 'rowan'],
    ]);
  });

  it('says that instance discovery is unavailable when the service account lacks the list permission', async () => {
    const { estate } = await platform(await cluster(false), { withRunner: false });
    expect(await failureOf(estate.listInstances({}))).toEqual({
      code: Code.PermissionDenied,
      message:
        "instance discovery is unavailable: the pod's service account needs list permission on client instances.",
    });
  });

  it('says so outside a cluster, and while the API does not answer', async () => {
    const outside = await platform({}, { withRunner: false });
    expect(await failureOf(outside.estate.listInstances({}))).toEqual({
      code: Code.FailedPrecondition,
      message: 'instance discovery is unavailable: this backend does not run in a cluster.',
    });
    const env = { ...(await cluster(true)), KUBERNETES_SERVICE_PORT: '9' };
    const away = await platform(env, { withRunner: false });
    expect(await failureOf(away.estate.listInstances({}))).toEqual({
      code: Code.Unavailable,
      message: 'instance discovery is unavailable: the Kubernetes API does not answer.',
    });
  });
});
