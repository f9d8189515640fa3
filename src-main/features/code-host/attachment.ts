import type { CodeHostAttachment } from '#shared/api/code-host.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { Keys, LiveSettings } from '../settings/index.ts';

/** Data the console reads with each permission of the App; it is unavailable without that permission. */
export const neededPermissions: Readonly<Record<string, string>> = {
  metadata: 'the list of repositories',
  issues: 'open jobs of the studio',
  statuses: 'the verification status of apps',
  actions: 'runs and their logs',
  contents: "commits and agents' settings",
  pull_requests: 'what reviews posted',
  checks: 'findings of reviews',
};

export type AttachmentParts = {
  readonly codeHost: CodeHost;
  readonly settings: Pick<LiveSettings, 'valueOf' | 'sourceOf' | 'settable' | 'change'>;
  readonly keys: Pick<Keys, 'list' | 'set' | 'value'>;
  /** Epoch ms. */
  readonly now: () => number;
};

/** `GET /api/github`: how this console is attached, and what the code host says of that. Never throws for its sake. */
export async function readAttachment({
  codeHost,
  settings,
  keys,
  now,
}: AttachmentParts): Promise<CodeHostAttachment> {
  const [installation, quota, keyItems] = await Promise.all([
    codeHost.installation(),
    codeHost.quota(),
    keys.list(),
  ]);
  const key = keyItems.find(({ name }) => name === 'CONSOLE_GITHUB_PRIVATE_KEY');
  const configured = (name: string) => {
    const value = settings.valueOf(name);
    return {
      ...(value === undefined ? {} : { value }),
      source: settings.sourceOf(name),
      settable: isOurs(settings, name),
    };
  };
  const waitingUntil = codeHost.waitingUntil();
  const reserve = Number(settings.valueOf('CONSOLE_CODE_HOST_RESERVE'));
  return {
    configured: installation.ok || installation.kind !== 'unset',
    settings: {
      app_id: configured('CONSOLE_GITHUB_APP_ID'),
      installation_id: configured('CONSOLE_GITHUB_INSTALLATION_ID'),
      api_url: configured('CONSOLE_GITHUB_API_URL'),
      reserve: configured('CONSOLE_CODE_HOST_RESERVE'),
      private_key: {
        set: key?.set ?? false,
        source: key?.source ?? 'unset',
        settable: key?.settable === true && key.source !== 'sandbox',
      },
    },
    ...(installation.ok
      ? {
          app: { id: installation.value.app.id, name: installation.value.app.slug },
          installation: {
            id: installation.value.id,
            organisation: installation.value.org,
            repositories: installation.value.repositories,
            permissions: { ...installation.value.permissions },
            missing: Object.entries(neededPermissions)
              .filter(([permission]) => installation.value.permissions[permission] === undefined)
              .map(([permission, without]) => ({ permission, without })),
          },
        }
      : {}),
    ...(quota === undefined
      ? {}
      : {
          quota: {
            limit: quota.limit,
            remaining: quota.remaining,
            reset_at: new Date(quota.reset).toISOString(),
            reserve,
          },
        }),
    ...(waitingUntil === undefined ? {} : { waiting_until: new Date(waitingUntil).toISOString() }),
    source: installation.ok ? codeHost.source : 'unavailable',
    complete: installation.ok,
    read_at: new Date(installation.ok ? installation.readAt : now()).toISOString(),
    unmeasured: installation.ok ? [] : [`The code host was not read: ${installation.reason}.`],
  };
}

/** Returns whether a setting can be changed here: neither the environment nor the running sandbox sets it. */
export function isOurs(settings: AttachmentParts['settings'], name: string): boolean {
  return settings.settable(name) && settings.sourceOf(name) !== 'sandbox';
}
