import type { PeerKind } from '#shared/api/symptoms.ts';

/** The peer or object that an error is about. */
export type Target = {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly object?: string | undefined;
  readonly of?: PeerKind | undefined;
};

/** A host name, an IPv4 or a bracketed IPv6 address. */
const host = String.raw`(?<host>\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9_](?:[\w.-]{0,251}[A-Za-z0-9_])?)`;
const port = String.raw`(?<port>\d{2,5})(?!\w|\.\w|:\d)`;

/** Places in a line that name a peer, the most certain first. */
const places: readonly RegExp[] = [
  // The far end of a connection, as Go writes it.
  new RegExp(`->${host}:${port}`),
  new RegExp(
    String.raw`\b(?<scheme>[a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/@"'<>]{1,100}@)?${host}(?::(?<port>\d{2,5}))?(?=[/\s"'?,;)\]}>]|:\s|:?$)`,
  ),
  new RegExp(String.raw`\bupstream server temporarily disabled .{0,40}upstream: "?${host}:${port}`),
  new RegExp(String.raw`\bdial (?:tcp|udp)[46]? ${host}:${port}`),
  new RegExp(String.raw`\bhost=['"]?${host}['"]?.{0,80}?\bport=['"]?(?<port>\d{2,5})\b`),
  new RegExp(
    String.raw`\b(?:host|server)(?: at)? ['"]${host}['"](?: \([^)]{1,60}\))?,? (?:and accepting .{0,30} on )?port (?<port>\d{2,5})\b`,
  ),
  new RegExp(String.raw`\b(?:host|server)(?: on| at)? ['"]${host}(?::(?<port>\d{2,5}))?['"]`),
  // A name and what it was resolved to, as Java writes it.
  new RegExp(String.raw`(?:^|[\s"'(\[=])${host}\/\[?[0-9a-fA-F.:]{3,45}\]?:(?<port>\d{2,5})\b`),
  new RegExp(String.raw`(?:^|[\s"'(\[=])\/${host}:${port}`),
  new RegExp(String.raw`\b(?:to|at|with|from|on) ['"]?${host}:${port}`),
  new RegExp(String.raw`\b${host}['"]? port (?<port>\d{2,5})\b`),
  new RegExp(
    String.raw`\b(?:host|hostname|address|addr|server)[=:]\s?['"]?${host}['"]?,? {0,2}(?:port[=:]\s?['"]?(?<port>\d{2,5}))`,
  ),
  new RegExp(String.raw`\b(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|EHOSTUNREACH) ${host}:${port}`),
  new RegExp(String.raw`(?:^|[\s"'(\[=,@])${host}:${port}`),
];

/** Text before a colon and digits that is no host: a file with a line, a time, a word of a log. */
const noHost =
  /\.(?:go|rs|js|mjs|cjs|ts|tsx|py|rb|java|kt|php|cs|c|cc|cpp|h|ex|erl|scala|lua|pl|sh|sql|ya?ml|json|conf|cfg|ini|log|txt)$|^\d{1,4}$|^(?:line|pid|code|status|error|errno|at|port|exit|version|attempt|retry|level|http|https|tcp|sha256|id|on|in|of|to|from|by|for|with|via|over|and|or|the|a|an|is|was|any|its|same)$|^v?\d+(?:\.\d+){0,2}$/i;

/** Returns the peer that a line names; of several, that of the most certain wording. */
export function targetIn(text: string): Target | undefined {
  for (const pattern of places) {
    const found = pattern.exec(text)?.groups;
    const name = found?.host?.replace(/^\[|\]$/g, '');
    if (found === undefined || name === undefined || noHost.test(name)) continue;
    const scheme = found.scheme?.replace(/^jdbc:/, '').split('+')[0] ?? '';
    if (scheme === 'file') continue;
    return { host: name, port: found.port, of: schemes[scheme] };
  }
  return undefined;
}

const schemes: Readonly<Record<string, PeerKind>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlserver: 'mssql',
  mongodb: 'mongodb',
  redis: 'redis',
  rediss: 'redis',
  amqp: 'rabbitmq',
  amqps: 'rabbitmq',
  nats: 'nats',
  kafka: 'kafka',
  ldap: 'ldap',
  ldaps: 'ldap',
  smtp: 'smtp',
  s3: 's3',
  clickhouse: 'clickhouse',
  grpc: 'grpc',
};

const ports: Readonly<Record<string, PeerKind>> = {
  '5432': 'postgres',
  '26257': 'postgres',
  '6432': 'postgres',
  '3306': 'mysql',
  '1433': 'mssql',
  '1521': 'oracle',
  '27017': 'mongodb',
  '6379': 'redis',
  '26379': 'redis',
  '11211': 'memcached',
  '9042': 'cassandra',
  '8123': 'clickhouse',
  '9200': 'elasticsearch',
  '9300': 'elasticsearch',
  '9092': 'kafka',
  '9093': 'kafka',
  '9094': 'kafka',
  '5672': 'rabbitmq',
  '5671': 'rabbitmq',
  '4222': 'nats',
  '2181': 'zookeeper',
  '2379': 'etcd',
  '2380': 'etcd',
  '8500': 'consul',
  '8200': 'vault',
  '389': 'ldap',
  '636': 'ldap',
  '25': 'smtp',
  '465': 'smtp',
  '587': 'smtp',
  '53': 'dns',
  '6443': 'kubernetes',
  '50051': 'grpc',
};

/** Words of host names that say what listens there. */
const hostWords: readonly (readonly [RegExp, PeerKind])[] = [
  [/^kubernetes(?:\.default|$)/i, 'kubernetes'],
  [/postgres|(?:^|[-.])pg(?:[-.]|$)|pgbouncer|cockroach/i, 'postgres'],
  [/mysql|mariadb/i, 'mysql'],
  [/mongo/i, 'mongodb'],
  [/redis|valkey/i, 'redis'],
  [/memcached/i, 'memcached'],
  [/cassandra|scylla/i, 'cassandra'],
  [/clickhouse/i, 'clickhouse'],
  [/elastic|opensearch/i, 'elasticsearch'],
  [/kafka|redpanda/i, 'kafka'],
  [/rabbit/i, 'rabbitmq'],
  [/(?:^|[-.])nats(?:[-.]|$)/i, 'nats'],
  [/zookeeper/i, 'zookeeper'],
  [/(?:^|[-.])etcd/i, 'etcd'],
  [/(?:^|[-.])vault(?:[-.]|$)/i, 'vault'],
  [/(?:^|[-.])(?:minio|s3)(?:[-.]|$)/i, 's3'],
];

/** First addresses of common Service networks, where the API server answers. */
const apiAddress = /^(?:10\.96\.0\.1|10\.43\.0\.1|10\.0\.0\.1|172\.30\.0\.1|172\.20\.0\.1|10\.100\.0\.1)$/;

/** Returns what answers at a target, by its port, then its name. */
export function kindOf({ host: name = '', port: number = '', of }: Target): PeerKind | undefined {
  if (of !== undefined) return of;
  if (number === '443' && apiAddress.test(name)) return 'kubernetes';
  return ports[number] ?? hostWords.find(([pattern]) => pattern.test(name))?.[1];
}

const kindNames: Partial<Readonly<Record<PeerKind, string>>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mssql: 'SQL Server',
  oracle: 'Oracle Database',
  sqlite: 'SQLite',
  mongodb: 'MongoDB',
  redis: 'Redis',
  memcached: 'Memcached',
  cassandra: 'Cassandra',
  clickhouse: 'ClickHouse',
  elasticsearch: 'Elasticsearch',
  kafka: 'Kafka',
  rabbitmq: 'RabbitMQ',
  nats: 'NATS',
  zookeeper: 'ZooKeeper',
  etcd: 'etcd',
  consul: 'Consul',
  vault: 'Vault',
  s3: 'the object store',
  ldap: 'LDAP',
  smtp: 'the mail server',
  dns: 'DNS',
  kubernetes: 'the API server',
};

/** Returns how a sentence names a target, such as `PostgreSQL at db:5432`; undefined when nothing is known of it. */
export function targetName(target: Target): string | undefined {
  const { host: name, port: number, object } = target;
  const kind = kindNames[kindOf(target) ?? 'http'];
  if (object !== undefined && name === undefined) return object;
  if (name === undefined) return kind;
  const bracketed = name.includes(':') ? `[${name}]` : name;
  const at = number === undefined ? bracketed : `${bracketed}:${number}`;
  return kind === undefined ? at : `${kind} at ${at}`;
}

const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7})$/;

/** Returns the Service that a host name means in a cluster, or the address that it is; loopback addresses are neither. */
export function placeOf(
  name: string | undefined,
  namespace: string | undefined,
): { readonly service?: string; readonly service_namespace?: string; readonly address?: string } {
  if (name === undefined || /^(?:localhost|127\..*|::1|0\.0\.0\.0)$/.test(name)) return {};
  if (address.test(name)) return { address: name };
  const [service = '', second, third] = name.split('.');
  if (second === undefined)
    return namespace === undefined ? { service } : { service, service_namespace: namespace };
  return third === 'svc' ? { service, service_namespace: second } : {};
}
