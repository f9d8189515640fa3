import { z } from 'zod';
import { readingFields, repositoryName, webLink } from './reading.ts';
import { defineRoute } from './route.ts';
import { settingSource } from './settings.ts';

/** The remaining request quota of the code host in the current hour. */
export const codeHostQuota = z.object({
  limit: z.number().int(),
  remaining: z.number().int(),
  /** Time at which the quota is full again. */
  reset_at: z.iso.datetime(),
  /** Requests reserved for the agent fleet: at or below it the console sends no new reads. */
  reserve: z.number().int(),
});
export type CodeHostQuota = z.infer<typeof codeHostQuota>;

const configured = z.object({ value: z.string().optional(), source: settingSource, settable: z.boolean() });

/** The code host as this console is attached to it; never the private key. */
export const codeHostAnswer = z.object({
  /** True when an App and its key are set. */
  configured: z.boolean(),
  settings: z.object({
    app_id: configured,
    installation_id: configured,
    api_url: configured,
    reserve: configured,
    private_key: configured.omit({ value: true }).extend({ set: z.boolean() }),
  }),
  app: z.object({ id: z.number().int(), name: z.string(), url: webLink.optional() }).optional(),
  installation: z
    .object({
      id: z.number().int(),
      organisation: z.string(),
      /** Every repository of the organisation, or those that were picked. */
      repositories: z.enum(['all', 'selected']),
      suspended_at: z.iso.datetime().optional(),
      /** Such as `{ "actions": "read" }`. */
      permissions: z.record(z.string(), z.string()),
      /** Permissions the console reads with and the installation does not give, and what is missing without each. */
      missing: z.array(z.object({ permission: z.string(), without: z.string() })),
    })
    .optional(),
  quota: codeHostQuota.optional(),
  /** Set while the code host is rate limiting the console. */
  waiting_until: z.iso.datetime().optional(),
  ...readingFields,
});
export type CodeHostAttachment = z.infer<typeof codeHostAnswer>;

/** `.platform/agents.yaml` of one repository. */
export const agentConfig = z.object({
  repo: z.string(),
  /** URL of the file at that commit; append `#L<line>` for a line. */
  url: webLink,
  path: z.string(),
  /** The commit it was read at: the head of the default branch. */
  commit: z.string().optional(),
  /** `none`: the repository has no such file; `unread`: it may have one, `unmeasured` says why it was not read. */
  file: z.enum(['read', 'none', 'unread']),
  agents: z.array(
    z.object({
      name: z.string(),
      family: z.string().optional(),
      enabled: z.boolean(),
      description: z.string().optional(),
      model: z.string().optional(),
      schedule: z.string().optional(),
      workflow: z.string().optional(),
      /** Everything else it is set to, as text. */
      settings: z.record(z.string(), z.string()),
      bias_rules: z.array(
        z.object({
          id: z.string(),
          rule: z.string(),
          severity: z.string().optional(),
          applies_to: z.array(z.string()),
        }),
      ),
      /** Line in the file, counted from 1. */
      line: z.number().int(),
    }),
  ),
  /** Errors in the file; the parts that could be read are above. */
  errors: z.array(
    z.object({ line: z.number().int(), column: z.number().int().optional(), message: z.string() }),
  ),
});
export type AgentConfig = z.infer<typeof agentConfig>;

/** Login of an organisation or a person, as the code host allows it. */
const organisationLogin = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/, "must be the organisation's name in its address");

export const codeHostRoutes = [
  defineRoute({
    id: 'codeHost.read',
    method: 'GET',
    path: '/api/github',
    access: { kind: 'read' },
    summary:
      'The code host as this console is attached to it: App, installation, organisation, quota, permissions.',
    answer: codeHostAnswer,
  }),
  defineRoute({
    id: 'codeHost.attach',
    method: 'POST',
    path: '/api/github',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      localOperator: true,
      action: 'code_host.attach',
      target: 'settings',
    },
    summary:
      'Attaches to an App: tried with the code host first, kept then, in effect at once. 422 when the code host does not accept it.',
    body: z.strictObject({
      app_id: z
        .string()
        .trim()
        .regex(/^\d{1,15}$/, 'must be the number of an App')
        .optional(),
      installation_id: z
        .string()
        .trim()
        .regex(/^(?:\d{1,15})?$/, 'must be the number of an installation, or empty for the only one')
        .optional(),
      api_url: z.union([z.literal(''), webLink]).optional(),
      private_key: z.string().min(1).max(16_384).optional(),
    }),
    answer: codeHostAnswer,
  }),
  defineRoute({
    id: 'codeHost.appManifest',
    method: 'POST',
    path: '/api/github/app-manifest',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      localOperator: true,
      action: 'code_host.app_manifest',
      target: 'settings',
    },
    summary:
      "Begins creating an App: the manifest with what the console reads, and the code host's page that a form hands it to.",
    body: z.strictObject({
      /** The organisation that owns the App. */
      organisation: organisationLogin,
      /** Address the code host returns the person to: this console as their browser reaches it. */
      console_url: webLink,
    }),
    answer: z.object({
      /** The page that takes the manifest as the form field `manifest`; its query names this registration (`state`). */
      action: webLink,
      /** JSON text. */
      manifest: z.string(),
      /** The same page as a link, with the fields filled in, where no form can be sent; the key is entered by hand then. */
      link: webLink,
    }),
  }),
  defineRoute({
    id: 'codeHost.createdApp',
    method: 'POST',
    path: '/api/github/created-app',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      localOperator: true,
      action: 'code_host.created_app',
      target: 'settings',
    },
    summary:
      'Takes the App that was created from a manifest: its number and key are fetched by the code and kept. 422 when the code host does not know the code.',
    body: z.strictObject({
      code: z.string().regex(/^[\w-]{1,200}$/, 'must be the code as the code host gave it'),
      state: z.string().regex(/^[\w-]{43}$/, 'must be the state as the code host gave it'),
    }),
    answer: z.object({
      name: z.string(),
      /** Page at the code host that installs the App: nothing can be read before that. */
      install_url: webLink,
    }),
  }),
  defineRoute({
    id: 'codeHost.agentConfig',
    method: 'GET',
    path: '/api/agent-config',
    access: { kind: 'read' },
    summary:
      "App agents' settings and bias rules, read from `.platform/agents.yaml` at each repository's HEAD.",
    query: z.object({ repo: repositoryName.optional() }),
    answer: z.object({ items: z.array(agentConfig), ...readingFields }),
  }),
] as const;
