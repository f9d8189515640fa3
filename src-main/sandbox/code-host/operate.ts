import { type Answer, type Call, json, notFound, paged, problem } from './answer.ts';
import { appOperations } from './app-operations.ts';
import type { AppTokens } from './app-tokens.ts';
import type { Quotas } from './quotas.ts';
import { repositoryJson } from './render-basics.ts';
import { repositoryOperations } from './repository-operations.ts';
import { runOperations } from './run-operations.ts';
import { webPage } from './web-page.ts';
import type { Organisation, SandboxRepository, SandboxRun, World } from './world.ts';

/** The caller, and the quota the request is charged to. */
export type Caller =
  | { readonly pays: true; readonly installation: number; readonly resource: 'core' }
  | {
      readonly pays: false;
      readonly installation: number | undefined;
      readonly resource: 'core' | 'graphql';
    };

type Parts = {
  readonly url: string;
  readonly world: () => World;
  readonly now: () => number;
  readonly tokens: AppTokens;
  readonly quotas: Quotas;
  readonly archive: (repo: SandboxRepository, run: SandboxRun) => string;
};

type Asked = Omit<Call, 'rendering' | 'names' | 'now'> & {
  readonly method: string;
  readonly authorization: string | undefined;
  /** The first installation as if it had been removed, or suspended. */
  readonly revoked: boolean;
  readonly suspended: boolean;
};

/** Finds the operation a request is for. What it does is done by `act`, once its caller's quota allows it. */
export function operate(parts: Parts, requested: Asked): { caller: Caller; act: () => Answer } {
  const nobody: Caller = { pays: false, installation: undefined, resource: 'core' };
  const world = worldFor(parts, requested);
  const path = named(world, requested.path);
  const call: Call = {
    ...requested,
    path,
    rendering: { url: parts.url, world },
    names: [],
    now: parts.now(),
  };
  const { method } = requested;
  const app = appOperations.find((entry) => entry.method === method && entry.pattern.test(path));
  const token = /^(?:bearer|token)\s+(\S+)$/i.exec(requested.authorization ?? '')?.[1];
  if (app !== undefined) {
    return {
      caller: nobody,
      act: () => {
        if (token === undefined || !token.includes('.'))
          return problem(401, 'A JSON web token could not be decoded');
        const refusal = parts.tokens.refusal(token);
        if (refusal !== undefined) return problem(refusal.status, refusal.message);
        return app.answer({ ...call, names: namesOf(app.pattern, path) }, parts.tokens);
      },
    };
  }
  const api = /^\/(?:installation\/|repos\/|repositories\/|rate_limit$|graphql$)/.test(requested.path);
  if (!api) {
    const page = method === 'GET' ? webPage(call) : undefined;
    return { caller: nobody, act: () => page ?? notFound() };
  }
  const id = token === undefined ? undefined : parts.tokens.installationOf(token);
  const org = world.organisations.find(({ installation }) => installation.id === id);
  if (token === undefined) {
    const hidden = path.startsWith('/repos/');
    return { caller: nobody, act: () => (hidden ? notFound() : problem(401, 'Requires authentication')) };
  }
  if (id === undefined || org === undefined || org.installation.deleted === true)
    return { caller: nobody, act: () => problem(401, 'Bad credentials') };
  if (org.installation.suspendedAt !== undefined)
    return { caller: nobody, act: () => problem(403, 'This installation has been suspended') };
  if (path === '/rate_limit') {
    const caller: Caller = { pays: false, installation: id, resource: 'core' };
    return { caller, act: () => rateLimit(parts.quotas, id) };
  }
  if (path === '/graphql') {
    const caller: Caller = { pays: false, installation: id, resource: 'graphql' };
    return { caller, act: () => (method === 'POST' ? graphql(call, org) : notFound()) };
  }
  return {
    caller: { pays: true, installation: id, resource: 'core' },
    act: () => (method === 'GET' ? installationRead(call, org, parts.archive) : notFound()),
  };
}

/** The world as it is served: under some faults the first installation is removed or suspended in it. */
function worldFor(parts: Parts, { revoked, suspended }: Asked): World {
  const world = parts.world();
  const [own, ...others] = world.organisations;
  if ((!revoked && !suspended) || own === undefined) return world;
  const installation = {
    ...own.installation,
    ...(revoked ? { deleted: true } : {}),
    ...(suspended ? { suspendedAt: parts.now() } : {}),
  };
  return { ...world, organisations: [{ ...own, installation }, ...others] };
}

/** Repositories may be named by their number. */
function named(world: World, path: string): string {
  const [whole, id] = /^\/repositories\/(\d+)(?=\/|$)/.exec(path) ?? [];
  for (const org of id === undefined ? [] : world.organisations) {
    const repo = org.repositories.find((entry) => String(entry.id) === id);
    if (repo !== undefined) return `/repos/${org.login}/${repo.name}${path.slice(whole?.length)}`;
  }
  return path;
}

function namesOf(pattern: RegExp, path: string): string[] {
  return (pattern.exec(path) ?? []).slice(1).map((name) => decoded(name));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function installationRead(
  call: Call,
  org: Organisation,
  archive: (repo: SandboxRepository, run: SandboxRun) => string,
): Answer {
  if (call.path === '/installation/repositories') {
    const installed = org.repositories.filter((repo) => repo.installed);
    const { shown, headers } = paged(call, installed);
    return {
      ...json({
        total_count: installed.length,
        repository_selection: org.installation.selection,
        repositories: shown.map((repo) => repositoryJson(call.rendering, org, repo)),
      }),
      headers,
    };
  }
  const [, owner, name, rest] = /^\/repos\/([^/]+)\/([^/]+)(.*)$/.exec(call.path) ?? [];
  const repo = org.repositories.find(
    (entry) => entry.installed && entry.name.toLowerCase() === decoded(name ?? '').toLowerCase(),
  );
  if (repo === undefined || rest === undefined || owner?.toLowerCase() !== org.login.toLowerCase())
    return notFound();
  for (const { pattern, permission, docs, answer } of [...runOperations(archive), ...repositoryOperations]) {
    if (!pattern.test(rest)) continue;
    if (org.installation.permissions[permission] === undefined) {
      return {
        ...problem(403, 'Resource not accessible by integration', docs),
        headers: { 'x-accepted-github-permissions': `${permission}=read` },
      };
    }
    return answer({ ...call, names: namesOf(pattern, rest), org, repo });
  }
  return notFound();
}

function rateLimit(quotas: Quotas, installation: number): Answer {
  const { limit, used, remaining, reset } = quotas.read(installation);
  const core = { limit, used, remaining, reset };
  const unused = (of: number) => ({ limit: of, used: 0, remaining: of, reset });
  return json({
    resources: { core, search: unused(30), graphql: unused(limit) },
    rate: core,
  });
}

/** The one thing GraphQL is needed for: REST does not say whose token it is. */
function graphql({ body, rendering }: Call, org: Organisation): Answer {
  const query = typeof body === 'object' && body !== null && 'query' in body ? String(body.query) : '';
  if (!/^\s*(?:query\s*)?\{\s*viewer\s*\{\s*login\s*\}\s*\}\s*$/.test(query))
    return json({ errors: [{ message: 'The sandbox answers { viewer { login } } only.' }] });
  const slug = org.installation.otherApp ?? rendering.world.app.slug;
  return json({ data: { viewer: { login: `${slug}[bot]` } } });
}
