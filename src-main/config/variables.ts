import { variableLabels } from './variable-labels.ts';

/**
 * Every variable the console reads, in one table: `docs/configuration.md` is generated from it. A value comes from the
 * environment, else from where `where` says it may be kept, else from the default named here.
 */
export const variables = [
  v(
    'env',
    'CONSOLE_LISTEN',
    'address',
    '127.0.0.1:0',
    'Address and port to listen on; port 0 picks a free port.',
  ),
  v(
    'settings',
    'CONSOLE_PUBLIC_URL',
    'url',
    '',
    'Public origin if it differs from the listening address, such as https://console.example.com.',
  ),
  v(
    'settings',
    'CONSOLE_ALLOWED_HOSTS',
    'list',
    '',
    'Additional accepted Host values (with port); `*` accepts any, only behind a proxy that checks Host itself.',
  ),
  v(
    'settings',
    'CONSOLE_TRUSTED_PROXIES',
    'list',
    '',
    'Addresses or networks of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8; used for sign-in limits, audit records and the studio.',
  ),
  v(
    'env',
    'CONSOLE_DATA_DIR',
    'folder',
    '~/.local/share/operator-console',
    'Folder of the embedded store, the settings file and the installation id.',
    { freeText: true },
  ),
  v(
    'env',
    'CONSOLE_DATABASE_URL',
    'postgres url',
    '',
    'PostgreSQL database for the store, such as postgres://user:password@host/database; unset keeps it in the data folder.',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_DATABASE_LISTEN_URL',
    'postgres url',
    '',
    'The same database without a pooler, for one connection that listens: consoles then tell each other of new commands and steps at once; unset polls.',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_STORE_KEY',
    'base64',
    '',
    'Store key, at least 32 bytes; if unset, the key is in the keychain, under a passphrase or in a file (docs/keys.md).',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_KEY_PASSPHRASE',
    'text',
    '',
    'Passphrase of a store key protected by `operator-console keys protect`; unset prompts on the terminal.',
    { secret: true },
  ),
  v('env', 'CONSOLE_KEYCHAIN', 'on|off', 'on', 'Whether keys are stored in the system keychain.'),
  v('env', 'CONSOLE_WEB_DIR', 'folder', 'the built renderer', 'Folder of the web app bundle.', {
    freeText: true,
  }),
  v(
    'settings',
    'CONSOLE_LOG_LEVEL',
    'fatal|error|warn|info|debug|silent',
    'info',
    'Minimum level of log lines on standard error.',
  ),
  v(
    'env',
    'CONSOLE_LOCAL_OPERATOR',
    'on|off',
    'on',
    "The local operator: the desktop window's own session and the one-time sign-in link.",
  ),
  v(
    'env',
    'CONSOLE_UPDATES',
    'off|notify|automatic',
    'notify',
    'What the desktop program does about a newer version; a managed policy file decides before it (docs/updates.md).',
  ),
  v(
    'env',
    'CONSOLE_UPDATE_VERSION',
    'version',
    '',
    'The only version the desktop program updates to, such as 1.4.0; unset takes the newest.',
  ),
  v(
    'settings',
    'CONSOLE_ADMIN_EMAIL',
    'email',
    'operator@console.localhost',
    'Identity of the password operator and the local operator.',
  ),
  v('keys', 'CONSOLE_ADMIN_PASSWORD', 'text', '', 'Enables password sign-in.', { secret: true }),
  v(
    'settings',
    'CONSOLE_GOOGLE_CLIENT_ID',
    'text',
    '',
    'Client id at the identity provider; enables sign-in through it.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_OIDC_ISSUER',
    'url',
    'https://accounts.google.com',
    'Required issuer of ID tokens.',
    { live: true },
  ),
  v('settings', 'CONSOLE_OIDC_JWKS_URL', 'url', "the issuer's", "URL of the issuer's signing keys.", {
    freeText: true,
    live: true,
  }),
  v(
    'settings',
    'CONSOLE_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider; unset refuses everyone.',
    { people: true, live: true },
  ),
  v(
    'env',
    'CONSOLE_SESSION_ADMINS',
    'list',
    '',
    "Who may read the audit trail, change settings and keys and end other people's sessions; unset means those named on the Access page, initially nobody.",
    { people: true },
  ),
  v(
    'settings',
    'CONSOLE_AGENT_ADMINS',
    'list',
    '',
    'Who may suspend and resume agents; unset means anyone signed in.',
    { people: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_CONNECTION_ADMINS',
    'list',
    '',
    'Who may change data connections; unset means anyone signed in.',
    { people: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_CLUSTER_ADMINS',
    'list',
    '',
    'Who may act on objects of writable clusters, such as restart or scale; unset means anyone signed in.',
    { people: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_CONNECTION_PRIVATE_NETWORKS',
    'networks',
    '',
    'Private networks that connection probes may dial, such as 10.20.0.0/16,fd00:20::/64; never loopback, link-local or metadata addresses.',
    { live: true },
  ),
  v(
    'env',
    'CONSOLE_GCP_FLEET_URL',
    'url',
    'https://gkehub.googleapis.com',
    'URL of the Google Cloud fleet API.',
  ),
  v(
    'env',
    'CONSOLE_GCP_TOKEN_URL',
    'url',
    'https://oauth2.googleapis.com/token',
    'Google Cloud token endpoint for service accounts.',
  ),
  v(
    'keys',
    'CONSOLE_SESSION_KEY',
    'base64',
    '',
    'Key for session digests, at least 32 bytes; changing it ends every session, and consoles on one database must share it.',
    { secret: true },
  ),
  v('settings', 'CONSOLE_SESSION_HOURS', 'hours', '12', 'Maximum lifetime of a session.'),
  v('settings', 'CONSOLE_SESSION_IDLE_HOURS', 'hours', '2', 'Idle time after which a session ends.'),
  v(
    'settings',
    'STUDIO_UPSTREAM',
    'url',
    'http://studio.platform.svc.cluster.local:8080',
    'Address of the studio service.',
    { live: true },
  ),
  v(
    'keys',
    'CONSOLE_STUDIO_IDENTITY_KEY',
    'base64',
    '',
    'Key shared with the studio, at least 32 bytes; signs the identity assertion.',
    { secret: true, sentTo: 'STUDIO_UPSTREAM' },
  ),
  v(
    'keys',
    'CONSOLE_HEALTH_INGEST_TOKEN',
    'token',
    '',
    'Token that apps use to report agent health; unset refuses every report.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_JUDGEMENT_INGEST_TOKEN',
    'token',
    '',
    'Token that an external platform presents when it submits findings to be judged; unset refuses every submission.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_LINEAGE_INGEST_TOKEN',
    'token',
    '',
    'Token that apps present when they report data flows they observed; unset refuses every report.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_RECON_INGEST_TOKEN',
    'token',
    '',
    'Token that the reconciliation agent presents when it reads business rules and reports what it observed; unset refuses both.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_METRICS_TOKEN',
    'token',
    '',
    'Token with which a scraper reads /api/metrics without a session; unset admits sessions only.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_GITHUB_PRIVATE_KEY',
    'PEM',
    '',
    'Private key of the code-host App; if unset, the code host is not read and agent reports are refused.',
    { secret: true, sentTo: 'CONSOLE_GITHUB_API_URL' },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_APP_ID',
    'number',
    '',
    'App ID of the code-host App; if unset, the code host is not read.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_INSTALLATION_ID',
    'number',
    "the App's only one",
    'Installation of the App, if it has several; selects the organisation.',
    { freeText: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_API_URL',
    'url',
    'https://api.github.com',
    "URL of the code host's REST API; for GitHub Enterprise Server https://HOST/api/v3.",
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_CODE_HOST_RESERVE',
    'number',
    '1000',
    'Requests per hour reserved for the agent fleet; at or below it the console serves cached data only.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_REGISTRY',
    'host',
    'ghcr.io',
    "Registry with the organisation's images, as HOST/ORGANISATION/REPOSITORY.",
    { live: true },
  ),
  v(
    'keys',
    'CONSOLE_REGISTRY_TOKEN',
    'USER:PASSWORD',
    '',
    'User name and password or token for the registry; unset reads it anonymously.',
    { secret: true, sentTo: 'CONSOLE_REGISTRY' },
  ),
  v(
    'settings',
    'CONSOLE_KUBECONFIG',
    'files',
    'KUBECONFIG, else ~/.kube/config',
    'Kubeconfig files to read, separated as in KUBECONFIG; `none` reads none.',
    { freeText: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_WRITABLE_TARGETS',
    'list',
    '',
    'Contexts (or in-cluster) that operators may change from the console; all others are read only.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_PROTECTED_TARGETS',
    'list',
    '',
    'Writable contexts (or in-cluster) whose name must be typed before each act.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_NAMESPACES',
    'list',
    '',
    'Namespaces to read if the console may not list namespaces, in addition to those its permissions name.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_LOGIN_SHELL_PATH',
    'on|off',
    'on',
    "Whether a kubeconfig's sign-in programs are also looked up on the PATH of the login shell.",
  ),
  v('settings', 'RECAPTCHA_SITE_KEY', 'text', '', 'Site key for the sign-up page.'),
  v(
    'keys',
    'RECAPTCHA_SECRET_KEY',
    'text',
    '',
    'Secret key of the reCAPTCHA; with it a sign-up needs one that was solved.',
    { secret: true, sentTo: 'RECAPTCHA_VERIFY_URL' },
  ),
  v(
    'env',
    'RECAPTCHA_VERIFY_URL',
    'url',
    'https://www.google.com/recaptcha/api/siteverify',
    'Address at which a solved reCAPTCHA is checked.',
  ),
  v(
    'keys',
    'STRIPE_SECRET_KEY',
    'text',
    '',
    'Key of the payment provider; unset gives quotes without checkout.',
    { secret: true, sentTo: 'STRIPE_API_URL' },
  ),
  v(
    'keys',
    'STRIPE_WEBHOOK_SECRET',
    'text',
    '',
    "Signing secret of the payment provider's events; unset refuses them.",
    { secret: true },
  ),
  v(
    'settings',
    'INFERENCE_REMOTE_URL',
    'url',
    '',
    'OpenAI-compatible endpoint of the model that reads chat messages and writes answers of Ask; unset leaves both to the grammar and the search.',
    { live: true },
  ),
  v('settings', 'INFERENCE_MODEL', 'text', '', 'Model to request there, named in its answers.', {
    live: true,
  }),
  v('keys', 'INFERENCE_API_KEY', 'text', '', 'Bearer token of that endpoint.', {
    secret: true,
    sentTo: 'INFERENCE_REMOTE_URL',
  }),
  v('env', 'STRIPE_API_URL', 'url', 'https://api.stripe.com', "Address of the payment provider's API."),
  v(
    'settings',
    'TTSD_URL',
    'url',
    '',
    'Text-to-speech service with the audio interface of the OpenAI API; unset, nothing is spoken.',
    { live: true },
  ),
  v('keys', 'TTSD_API_KEY', 'text', '', 'Bearer token for the text-to-speech service.', {
    secret: true,
    sentTo: 'TTSD_URL',
  }),
  v(
    'settings',
    'VOICE_REMOTE_URL',
    'url',
    '',
    'Speech-to-text service with the audio interface of the OpenAI API; unset, there is no voice input.',
    { live: true },
  ),
  v('keys', 'VOICE_REMOTE_API_KEY', 'text', '', 'Bearer token for the speech-to-text service.', {
    secret: true,
    sentTo: 'VOICE_REMOTE_URL',
  }),
] as const satisfies readonly Variable[];

/**
 * The place a variable may be set in: always the environment; else only there, the settings file, or as a
 * kept key.
 */
export type Where = 'env' | 'settings' | 'keys';

export type Variable = {
  readonly name: string;
  readonly type: string;
  /** Value when nothing sets it; empty when it is then unset. */
  readonly default: string;
  readonly sentence: string;
  readonly where: Where;
  readonly secret: boolean;
  /** True for lists of people: only session admins see who is on them. */
  readonly people: boolean;
  /** True when `default` describes the value instead of being it. */
  readonly freeText: boolean;
  /** True when a change in the settings file is in effect at once; else with the next start. */
  readonly live: boolean;
  /** False for a variable of the specification that nothing reads yet; its sentence says so, wherever it is shown. */
  readonly used: boolean;
  /** For a secret, the variable that holds the address it is sent to. Undefined for one that never leaves. */
  readonly sentTo: string | undefined;
};
export type VariableName = (typeof variables)[number]['name'];

function v<const N extends keyof typeof variableLabels, const W extends Where>(
  where: W,
  name: N,
  type: string,
  defaultValue: string,
  sentence: string,
  more: {
    secret?: boolean;
    people?: boolean;
    freeText?: boolean;
    live?: boolean;
    used?: boolean;
    sentTo?: string;
  } = {},
) {
  const { secret = false, people = false, freeText = false, live = false, used = true, sentTo } = more;
  const shown = used ? sentence : `Not used yet. ${sentence}`;
  return {
    where,
    name,
    label: variableLabels[name],
    type,
    default: defaultValue,
    sentence: shown,
    secret,
    people,
    freeText,
    live,
    used,
    sentTo,
  } as const;
}
