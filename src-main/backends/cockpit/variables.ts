import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the cockpit backend reads; its part of docs/backends.md is written from this table. */
export const cockpitVariables = [
  variable('PORT', '1 to 65535', '', 'Port on 127.0.0.1 where `--listen` says none.', {
    otherwise: '`7100`; `7102` on a runner',
  }),
  variable(
    'AUTH_JWT_SECRET',
    'text',
    '',
    'Signs sessions, at least 32 bytes; the same on a control plane and its runners. Required.',
    { secret: true },
  ),
  variable(
    'INFERENCE_REMOTE_URL',
    'url | pairs',
    '',
    'OpenAI-compatible endpoint: one for every call path, or pairs such as `default=https://a,summaries=https://b`. Required.',
  ),
  variable('INFERENCE_MODEL', 'name', '', 'Model to ask it for.'),
  variable('INFERENCE_API_KEY', 'text', '', 'Bearer token for it.', { secret: true }),
  variable(
    'PLATFORM_ENVELOPE_KEK',
    'base64',
    '',
    'Key-encryption key of the appfs root and of replicas, exactly 32 bytes. Required; never a new one over existing data.',
    { secret: true },
  ),
  variable(
    'MESH_DIR',
    'folder',
    '/etc/mesh',
    'Mesh identity: `ca.crt`, `ca.key`, `tls.crt`, `tls.key`, followed when they are rotated.',
  ),
  variable(
    'APPFS_ROOT',
    'folder',
    '',
    'Appfs root as a folder that control plane and runners share; this or an object store is required.',
  ),
  variable(
    'OBJECTSTORE_ENDPOINT',
    'url',
    '',
    'Appfs root in an S3-compatible object store, `https://` only.',
  ),
  variable('OBJECTSTORE_BUCKET', 'name', '', 'Its bucket.'),
  variable('OBJECTSTORE_ACCESS_KEY_ID', 'text', '', 'Its access key id.'),
  variable('OBJECTSTORE_SECRET_ACCESS_KEY', 'text', '', 'Its secret access key.', { secret: true }),
  variable('OBJECTSTORE_REGION', 'name', 'us-east-1', 'Its region.'),
  variable(
    'OBJECTSTORE_USE_SSL',
    'none',
    '',
    'Refused, even when empty: the scheme of OBJECTSTORE_ENDPOINT says it.',
  ),
  variable('SQLITE_PATH', 'absolute file', ':memory:', 'SQLite file of accounts, estate and schedules.'),
  variable(
    'REPLICA_BUCKET',
    'name',
    '',
    'Bucket of that object store for a sealed replica of the SQLite file, restored when the file is gone.',
  ),
  variable('COCKPIT_TENANT', 'name', '', 'Names the replica, with RUNNER_ID; set by the operator.', {
    otherwise: '`tenant`',
  }),
  variable('RUNNER_ID', 'name', '', 'Names the replica of this member; set by the operator.', {
    otherwise: 'RAFT_NODE_ID, else the role',
  }),
  variable(
    'RAFT_NODE_ID',
    'name',
    '',
    'Name of this member of the consensus; unset (and on a runner) it is none.',
  ),
  variable(
    'RAFT_PEERS',
    'pairs',
    '',
    'Every member with its peer address, this one too: `cockpit-0=https://cockpit-0.cockpit:7380,…`; http on loopback alone.',
    { otherwise: 'a member that is alone' },
  ),
  variable(
    'RAFT_DATA_DIR',
    'absolute folder',
    '',
    'Where consensus state is kept; the operator sets `/raft`.',
    {
      otherwise: 'in memory, gone with the process',
    },
  ),
  variable('ETCD_BINARY', 'file | name', 'etcd', 'The consensus engine: its path, or its name on the PATH.'),
  variable(
    'OIDC_ISSUER',
    'url',
    '',
    'Identity provider of SSO, `https://` (http on loopback alone); needs OIDC_CLIENT_ID.',
  ),
  variable('OIDC_CLIENT_ID', 'text', '', 'Client id of SSO.'),
  variable('OIDC_AUDIENCE', 'text', '', 'Audience that ID tokens must have.', {
    otherwise: 'OIDC_CLIENT_ID',
  }),
  variable('GOOGLE_CLIENT_ID', 'text', '', 'The `google_client_id` that sign-in pages ask tokens for.', {
    otherwise: 'OIDC_CLIENT_ID',
  }),
  variable(
    'AUTH_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in by SSO, commas between; unset or empty refuses everyone.',
  ),
  variable(
    'AUTH_GOOGLE_ONLY',
    'true | false',
    'false',
    'Whether passwords are for the break-glass admin alone.',
  ),
  variable('ADMIN_EMAIL', 'email', '', 'Break-glass admin, seeded at start together with ADMIN_PASSWORD.'),
  variable('ADMIN_PASSWORD', 'text', '', 'Password of that admin.', { secret: true }),
  variable(
    'MANAGED_RUNNER_ENDPOINT',
    'url',
    '',
    'The runner that fetches for this control plane; fetches say so when there is none.',
  ),
  variable(
    'RUNNER_ENROLL_ADDR',
    'text',
    '',
    'Address a self-hosted runner enrolls at; needs RUNNER_ENROLL_TOKEN. Checked, and used for nothing else.',
  ),
  variable('RUNNER_ENROLL_TOKEN', 'text', '', 'Its token; checked to be there, and not kept.', {
    secret: true,
  }),
  variable(
    'SCHEDULE_EXECUTE_FETCH',
    'true',
    '',
    'Exactly `true` lets schedules fetch; anything else logs what they would do.',
  ),
  variable(
    'EMBEDDING_URL',
    'url',
    '',
    'OpenAI-compatible endpoint of an embedding model; unset searches by text.',
  ),
  variable('EMBEDDING_FORMAT', 'qwen3-embedding | nomic-v1.5 | raw', 'raw', 'How its vectors are read.'),
  variable('MODEL_EMBEDDING_DIM', '1 to 16384', '768', 'Width of the index, in numbers a vector.'),
  variable('EMBEDDING_MODEL', 'name', '', 'Model to ask it for.'),
  variable('EMBEDDING_API_KEY', 'text', '', 'Bearer token for it.', { secret: true }),
  variable(
    'KUBERNETES_SERVICE_HOST',
    'host',
    '',
    'The Kubernetes API, set in every pod; unset leaves instances undiscovered.',
  ),
  variable('KUBERNETES_SERVICE_PORT', 'port', '443', 'Its port.'),
  variable(
    'KUBERNETES_SERVICE_ACCOUNT_DIR',
    'folder',
    '/var/run/secrets/kubernetes.io/serviceaccount',
    'Where the token and CA of the pod are mounted.',
  ),
] as const;

/** The environment as the cockpit backend looks at it. */
export type Environment = EnvironmentOf<typeof cockpitVariables>;
export const { filled, orDefault } = variableReader(cockpitVariables);
