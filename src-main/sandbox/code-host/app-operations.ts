import { type Answer, type Call, json, notFound, paged, problem } from './answer.ts';
import type { AppTokens } from './app-tokens.ts';
import { commitId, numberOf } from './builders.ts';
import { nodeId, type Rendering, time, userJson } from './render-basics.ts';
import type { Organisation } from './world.ts';

/** An operation of the App itself, signed with its key. */
export type AppOperation = {
  readonly method: 'GET' | 'POST';
  readonly pattern: RegExp;
  readonly answer: (call: Call, tokens: AppTokens) => Answer;
};

const made = Date.UTC(2026, 0, 12, 9);
const clientId = 'Iv23liNorthgateConsole';

function appJson(rendering: Rendering) {
  const { app, organisations } = rendering.world;
  const owner = organisations[0]?.login ?? 'nobody';
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: clientId,
    owner: userJson(rendering, owner),
    name: app.name,
    description: 'Reads repositories, runs and reviews for the operator console.',
    external_url: `${rendering.url}/${owner}`,
    html_url: `${rendering.url}/apps/${app.slug}`,
    created_at: time(made),
    updated_at: time(made),
    permissions: organisations[0]?.installation.permissions ?? {},
    events: [],
    installations_count: organisations.filter(listed).length,
  };
}

function installationJson(rendering: Rendering, org: Organisation) {
  const { installation } = org;
  const { app } = rendering.world;
  const account = userJson(rendering, org.login);
  const suspended = installation.suspendedAt;
  return {
    id: installation.id,
    client_id: clientId,
    account,
    repository_selection: installation.selection,
    access_tokens_url: `${rendering.url}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${rendering.url}/installation/repositories`,
    html_url: `${rendering.url}/organizations/${org.login}/settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: 'Organization',
    permissions: installation.permissions,
    events: [],
    created_at: time(made),
    updated_at: time(suspended ?? made),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspended === undefined ? null : userJson(rendering, 'mira'),
    suspended_at: suspended === undefined ? null : time(suspended),
  };
}

/** True for an installation that our App may see. */
function listed({ installation }: Organisation): boolean {
  return installation.deleted !== true && installation.otherApp === undefined;
}

function byId({ rendering, names }: Call): Organisation | undefined {
  return rendering.world.organisations.find((org) => String(org.installation.id) === names[0] && listed(org));
}

function byLogin({ rendering, names }: Call): Organisation | undefined {
  return rendering.world.organisations.find(
    (org) => org.login.toLowerCase() === names[0]?.toLowerCase() && listed(org),
  );
}

const docs = 'rest/apps/apps';

export const appOperations: readonly AppOperation[] = [
  { method: 'GET', pattern: /^\/app$/, answer: ({ rendering }) => json(appJson(rendering)) },
  {
    method: 'GET',
    pattern: /^\/app\/installations$/,
    answer: (call) => {
      const { shown, headers } = paged(call, call.rendering.world.organisations.filter(listed));
      return { ...json(shown.map((org) => installationJson(call.rendering, org))), headers };
    },
  },
  {
    method: 'GET',
    pattern: /^\/app\/installations\/(\d+)$/,
    answer: (call) => {
      const org = byId(call);
      return org === undefined ? notFound(docs) : json(installationJson(call.rendering, org));
    },
  },
  {
    method: 'POST',
    pattern: /^\/app\/installations\/(\d+)\/access_tokens$/,
    answer: (call, tokens) => {
      const org = byId(call);
      const page = `${docs}#create-an-installation-access-token-for-an-app`;
      if (org === undefined) return notFound(page);
      if (org.installation.suspendedAt !== undefined)
        return problem(403, 'This installation has been suspended', page);
      const { token, expiresAt } = tokens.mint(org.installation);
      return json(
        {
          token,
          expires_at: time(expiresAt),
          permissions: org.installation.permissions,
          repository_selection: org.installation.selection,
        },
        201,
      );
    },
  },
  {
    method: 'GET',
    pattern: /^\/orgs\/([^/]+)\/installation$/,
    answer: (call) => {
      const org = byLogin(call);
      return org === undefined ? notFound(docs) : json(installationJson(call.rendering, org));
    },
  },
  {
    method: 'GET',
    pattern: /^\/repos\/([^/]+)\/([^/]+)\/installation$/,
    answer: (call) => {
      const org = byLogin(call);
      const name = call.names[1]?.toLowerCase();
      const repo = org?.repositories.find((entry) => entry.installed && entry.name.toLowerCase() === name);
      return org === undefined || repo === undefined
        ? notFound(docs)
        : json(installationJson(call.rendering, org));
    },
  },
];

/** An id of one answer, as the code host gives them to be quoted in a support request. */
export function requestId(count: number): string {
  const id = commitId('request', count, numberOf('request', count)).toUpperCase();
  return `${id.slice(0, 4)}:${id.slice(4, 10)}:${id.slice(10, 16)}:${id.slice(16, 22)}:${id.slice(22, 30)}`;
}
