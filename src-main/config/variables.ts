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
    'Address and port to listen on; port 0 lets the system choose.',
  ),
  v(
    'settings',
    'CONSOLE_PUBLIC_URL',
    'url',
    '',
    'Origin people open when it differs from the listening address, such as https://console.example.com.',
  ),
  v(
    'settings',
    'CONSOLE_ALLOWED_HOSTS',
    'list',
    '',
    'Further Host values (with port) that are this console; `*` accepts any, only behind a proxy that checks Host itself.',
  ),
  v(
    'settings',
    'CONSOLE_TRUSTED_PROXIES',
    'list',
    '',
    'Addresses or networks of proxies whose X-Forwarded-For tells who calls, such as 10.0.0.0/8; sign-in tries are counted, records kept, and the studio told, by that address.',
  ),
  v(
    'env',
    'CONSOLE_DATA_DIR',
    'folder',
    '~/.local/share/operator-console',
    'Folder of the embedded store, the settings file and what names this installation.',
    { freeText: true },
  ),
  v(
    'env',
    'CONSOLE_DATABASE_URL',
    'postgres url',
    '',
    'PostgreSQL database to keep the store in, such as postgres://user:password@host/database; unset keeps it in the data folder.',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_STORE_KEY',
    'base64',
    '',
    'Key of the store, at least 32 bytes; without it the key is kept in the keychain, under a passphrase or in a file (docs/keys.md).',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_KEY_PASSPHRASE',
    'text',
    '',
    'Passphrase of a store key that `operator-console keys protect` put under one; unset asks for it on the terminal.',
    { secret: true },
  ),
  v('env', 'CONSOLE_KEYCHAIN', 'on|off', 'on', "Whether keys are kept in the system's keychain."),
  v('env', 'CONSOLE_WEB_DIR', 'folder', 'the built renderer', 'Folder of the web app bundle.', {
    freeText: true,
  }),
  v(
    'settings',
    'CONSOLE_LOG_LEVEL',
    'fatal|error|warn|info|debug|silent',
    'info',
    'Least severe log line that is written to standard error.',
  ),
  v(
    'env',
    'CONSOLE_LOCAL_OPERATOR',
    'on|off',
    'on',
    "The local operator: the desktop window's own session and the one-time sign-in link.",
  ),
  v(
    'settings',
    'CONSOLE_ADMIN_EMAIL',
    'email',
    'operator@console.localhost',
    'Who the password operator and the local operator are signed in as.',
  ),
  v('keys', 'CONSOLE_ADMIN_PASSWORD', 'text', '', 'Turns password sign-in on.', { secret: true }),
  v(
    'settings',
    'CONSOLE_GOOGLE_CLIENT_ID',
    'text',
    '',
    'Client id of the identity provider; turns its sign-in on.',
  ),
  v(
    'settings',
    'CONSOLE_OIDC_ISSUER',
    'url',
    'https://accounts.google.com',
    'Issuer that ID tokens must name.',
  ),
  v('settings', 'CONSOLE_OIDC_JWKS_URL', 'url', "the issuer's", "Address of the issuer's signing keys.", {
    freeText: true,
  }),
  v(
    'settings',
    'CONSOLE_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider; unset refuses everyone.',
    { people: true },
  ),
  v(
    'env',
    'CONSOLE_SESSION_ADMINS',
    'list',
    '',
    "Who may read the audit trail, change settings and keys and end other people's sessions; unset means those named on the Access page, nobody at first.",
    { people: true },
  ),
  v(
    'settings',
    'CONSOLE_AGENT_ADMINS',
    'list',
    '',
    'Who may arm and disarm agents; unset means everyone the console admits.',
    { people: true },
  ),
  v(
    'settings',
    'CONSOLE_CONNECTION_ADMINS',
    'list',
    '',
    'Who may change data connections; unset means everyone the console admits.',
    { people: true },
  ),
  v(
    'keys',
    'CONSOLE_SESSION_KEY',
    'base64',
    '',
    'Key of the digests that sessions are stored under, at least 32 bytes; another key ends every session, and consoles on one database must share it.',
    { secret: true },
  ),
  v('settings', 'CONSOLE_SESSION_HOURS', 'hours', '12', 'Longest life of a session.'),
  v('settings', 'CONSOLE_SESSION_IDLE_HOURS', 'hours', '2', 'A session unused for this long ends.'),
  v(
    'settings',
    'STUDIO_UPSTREAM',
    'url',
    'http://studio.platform.svc.cluster.local:8080',
    'Address of the studio service.',
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
    'Token that apps present when they report the health of their agents; unset refuses every report.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_GITHUB_PRIVATE_KEY',
    'PEM',
    '',
    "Private key of the code-host App; unset leaves the code host unread and agents' reports refused.",
    { secret: true, sentTo: 'CONSOLE_GITHUB_API_URL' },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_APP_ID',
    'number',
    '',
    'Number of the code-host App this console reads as; unset leaves the code host unread.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_INSTALLATION_ID',
    'number',
    "the App's only one",
    'Which installation of the App, where it has several: it names the organisation.',
    { freeText: true, live: true },
  ),
  v(
    'settings',
    'CONSOLE_GITHUB_API_URL',
    'url',
    'https://api.github.com',
    "Address of the code host's REST API; for GitHub Enterprise Server https://HOST/api/v3.",
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_CODE_HOST_RESERVE',
    'number',
    '1000',
    'Requests an hour of the installation that are left to the agent fleet: at or below it the console reads nothing anew.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_REGISTRY',
    'host',
    'ghcr.io',
    "Registry where the organisation's images are, as HOST/ORGANISATION/REPOSITORY.",
  ),
  v(
    'keys',
    'CONSOLE_REGISTRY_TOKEN',
    'USER:PASSWORD',
    '',
    'User name and password or token to read the registry with; unset asks it as nobody.',
    { secret: true, sentTo: 'CONSOLE_REGISTRY' },
  ),
  v(
    'settings',
    'CONSOLE_KUBECONFIG',
    'files',
    'KUBECONFIG, else ~/.kube/config',
    'Kubeconfig files whose contexts can be read, separated as in KUBECONFIG; `none` reads none.',
    { freeText: true },
  ),
  v(
    'settings',
    'CONSOLE_WRITABLE_TARGETS',
    'list',
    '',
    'Names of contexts (or in-cluster) in which the console may change what an operator tells it to; all others are read only.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_NAMESPACES',
    'list',
    '',
    'Namespaces to read where the console may not list namespaces, beside those its rights name.',
    { live: true },
  ),
  v(
    'settings',
    'CONSOLE_LOGIN_SHELL_PATH',
    'on|off',
    'on',
    "Whether a kubeconfig's sign-in programs are looked for on the PATH of the login shell, too.",
  ),
  v('settings', 'RECAPTCHA_SITE_KEY', 'text', '', 'Site key the sign-up page uses.', { used: false }),
  v(
    'keys',
    'STRIPE_SECRET_KEY',
    'text',
    '',
    'Key of the payment provider; unset gives quotes without a checkout.',
    { secret: true, used: false },
  ),
  v(
    'keys',
    'STRIPE_WEBHOOK_SECRET',
    'text',
    '',
    "Signing secret of the payment provider's events; unset refuses them.",
    { secret: true, used: false },
  ),
  v('settings', 'TTSD_URL', 'url', '', 'Text-to-speech service.'),
  v('keys', 'TTSD_API_KEY', 'text', '', 'Bearer token for the text-to-speech service.', {
    secret: true,
    sentTo: 'TTSD_URL',
    used: false,
  }),
  v('settings', 'VOICE_REMOTE_URL', 'url', '', 'Speech-to-text service.'),
  v('keys', 'VOICE_REMOTE_API_KEY', 'text', '', 'Bearer token for the speech-to-text service.', {
    secret: true,
    sentTo: 'VOICE_REMOTE_URL',
    used: false,
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

function v<const N extends string, const W extends Where>(
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
