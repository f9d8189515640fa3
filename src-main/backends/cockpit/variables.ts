import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the cockpit backend reads; its part of docs/backends.md is written from this table. */
export const cockpitVariables = [
  variable('PORT', '1 to 65535', '', 'Port on 127.0.0.1 without `--listen`.', {
    otherwise: '`7100`; `7102` on a runner',
  }),
  variable(
    'AUTH_JWT_SECRET',
    'text',
    '',
    'Signs sessions, at least 32 bytes; shared by a control plane and its runners. Required.',
    { secret: true },
  ),
  variable(
    'INFERENCE_REMOTE_URL',
    'url | pairs',
    '',
    'OpenAI-compatible endpoint: one for every call path, or pairs such as `default=https://a,summaries=https://b`. Required.',
  ),
  variable('INFERENCE_MODEL', 'name', '', 'Model to request.'),
  variable('INFERENCE_API_KEY', 'text', '', 'Its bearer token.', { secret: true }),
  variable(
    'PLATFORM_ENVELOPE_KEK',
    'base64',
    '',
    'Key-encryption key of the appfs root and of replicas, exactly 32 bytes. Required; never change it on existing data.',
    { secret: true },
  ),
  variable(
    'MESH_DIR',
    'folder',
    '/etc/mesh',
    'Mesh identity: `ca.crt`, `ca.key`, `tls.crt`, `tls.key`, reloaded on rotation.',
  ),
  variable(
    'APPFS_ROOT',
    'folder',
    '',
    'Appfs root as a folder shared by control plane and runners; this or an object store is required.',
  ),
  variable(
    'OBJECTSTORE_ENDPOINT',
    'url',
    '',
    'Appfs root in an S3-compatible object store, `https://` only.',
  ),
  variable('OBJECTSTORE_BUCKET', 'name', '', 'Bucket name.'),
  variable('OBJECTSTORE_ACCESS_KEY_ID', 'text', '', 'Access key id.'),
  variable('OBJECTSTORE_SECRET_ACCESS_KEY', 'text', '', 'Secret access key.', { secret: true }),
  variable('OBJECTSTORE_REGION', 'name', 'us-east-1', 'Region.'),
  variable(
    'OBJECTSTORE_USE_SSL',
    'none',
    '',
    'Refused, even if empty: use the scheme of OBJECTSTORE_ENDPOINT.',
  ),
  variable('SQLITE_PATH', 'absolute file', ':memory:', 'SQLite file of accounts, estate and schedules.'),
  variable(
    'REPLICA_BUCKET',
    'name',
    '',
    'Bucket there for a sealed replica of the SQLite file, restored if the file is missing.',
  ),
  variable('COCKPIT_TENANT', 'name', '', 'Names the replica together with RUNNER_ID; set by the operator.', {
    otherwise: '`tenant`',
  }),
  variable('RUNNER_ID', 'name', '', 'Names the replica of this member; set by the operator.', {
    otherwise: 'RAFT_NODE_ID, else the role',
  }),
  variable(
    'RAFT_NODE_ID',
    'name',
    '',
    'Name of this consensus member; unset (and on a runner): not a member.',
  ),
  variable(
    'RAFT_PEERS',
    'pairs',
    '',
    'All members with peer URLs, including this one: `cockpit-0=https://cockpit-0.cockpit:7380,…`; http on loopback only.',
    { otherwise: 'a single member' },
  ),
  variable('RAFT_DATA_DIR', 'absolute folder', '', 'Folder for consensus state; the operator sets `/raft`.', {
    otherwise: 'in memory, lost on exit',
  }),
  variable('ETCD_BINARY', 'file | name', 'etcd', 'etcd binary: path, or name on the PATH.'),
  variable(
    'OIDC_ISSUER',
    'url',
    '',
    'Identity provider of SSO, `https://` (http on loopback only); needs OIDC_CLIENT_ID.',
  ),
  variable('OIDC_CLIENT_ID', 'text', '', 'Client id of SSO.'),
  variable('OIDC_AUDIENCE', 'text', '', 'Required audience of ID tokens.', {
    otherwise: 'OIDC_CLIENT_ID',
  }),
  variable('GOOGLE_CLIENT_ID', 'text', '', 'The `google_client_id` for sign-in pages.', {
    otherwise: 'OIDC_CLIENT_ID',
  }),
  variable(
    'AUTH_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in by SSO, comma-separated; unset or empty refuses everyone.',
  ),
  variable(
    'AUTH_GOOGLE_ONLY',
    'true | false',
    'false',
    'Whether only the break-glass admin may use a password.',
  ),
  variable('ADMIN_EMAIL', 'email', '', 'Break-glass admin, seeded at start with ADMIN_PASSWORD.'),
  variable('ADMIN_PASSWORD', 'text', '', 'Password of that admin.', { secret: true }),
  variable(
    'MANAGED_RUNNER_ENDPOINT',
    'url',
    '',
    'Runner that fetches for this control plane; fetches report it if unset.',
  ),
  variable(
    'RUNNER_ENROLL_ADDR',
    'text',
    '',
    'Enrollment address of a self-hosted runner; needs RUNNER_ENROLL_TOKEN. Only validated.',
  ),
  variable('RUNNER_ENROLL_TOKEN', 'text', '', 'Its token; only checked for presence.', {
    secret: true,
  }),
  variable(
    'SCHEDULE_EXECUTE_FETCH',
    'true',
    '',
    'Exactly `true` lets schedules fetch; otherwise they only log what they would do.',
  ),
  variable(
    'EMBEDDING_URL',
    'url',
    '',
    'OpenAI-compatible endpoint of an embedding model; unset searches by text.',
  ),
  variable('EMBEDDING_FORMAT', 'qwen3-embedding | nomic-v1.5 | raw', 'raw', 'Format of its vectors.'),
  variable('MODEL_EMBEDDING_DIM', '1 to 16384', '768', 'Dimensions of the vector index.'),
  variable('EMBEDDING_MODEL', 'name', '', 'Model to request.'),
  variable('EMBEDDING_API_KEY', 'text', '', 'Its bearer token.', { secret: true }),
  variable(
    'KUBERNETES_SERVICE_HOST',
    'host',
    '',
    'Kubernetes API, set in every pod; if unset, instances are not discovered.',
  ),
  variable('KUBERNETES_SERVICE_PORT', 'port', '443', 'Its port.'),
  variable(
    'KUBERNETES_SERVICE_ACCOUNT_DIR',
    'folder',
    '/var/run/secrets/kubernetes.io/serviceaccount',
    "Mount path of the pod's token and CA.",
  ),
] as const;

/** The environment as the cockpit backend looks at it. */
export type Environment = EnvironmentOf<typeof cockpitVariables>;
export const { filled, orDefault } = variableReader(cockpitVariables);
