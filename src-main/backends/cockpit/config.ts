import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { isObjectName } from '../sealed/index.ts';
import { httpAddress, StartupRefused } from '../serving/index.ts';
import { type AppfsLocation, readAppfsLocation, readAtRestKey } from './appfs/index.ts';
import { type EmbeddingConfig, readEmbeddingConfig } from './model/embedding-config.ts';
import { type InferenceConfig, readInferenceConfig } from './model/inference-config.ts';
import { type RaftConfig, readRaftConfig } from './raft/raft-config.ts';
import { type Environment, filled, orDefault } from './variables.ts';

/** A control plane, or the runner that fetches for one. */
export type Role = 'control-plane' | 'runner';

/** Sign-in settings (BCK-043 to BCK-047). */
export type SignInConfig = {
  readonly jwtSecret: Uint8Array;
  /** Undefined when the issuer or the client id is missing. */
  readonly oidc:
    | { readonly issuer: string; readonly clientId: string; readonly audience: string }
    | undefined;
  /** Client id the sign-in page requests ID tokens for. */
  readonly googleClientId: string;
  /** In lower case; empty refuses everyone who comes by SSO. */
  readonly allowedEmails: readonly string[];
  /** Passwords are for the break-glass admin only. */
  readonly googleOnly: boolean;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
};

/** The settings of a cockpit backend, checked. */
export type CockpitConfig = {
  readonly role: Role;
  /** Absolute, or `:memory:`. */
  readonly sqliteFile: string;
  /** Whether RUNNER_ENROLL_ADDR and its token are set. Nothing is enrolled with them, and the log says so. */
  readonly namesEnrollment: boolean;
  readonly meshFolder: string;
  readonly signIn: SignInConfig;
  readonly inference: InferenceConfig;
  readonly embedding: EmbeddingConfig;
  /** 32 bytes. */
  readonly envelopeKey: Buffer;
  readonly appfs: AppfsLocation;
  /** Location of the SQLite file's replica, and its name there; undefined when there is none. */
  readonly replica: { readonly location: AppfsLocation; readonly object: string } | undefined;
  /** Undefined on a runner and without RAFT_NODE_ID. */
  readonly raft: RaftConfig | undefined;
  readonly estate: EstateConfig;
};

export type EstateConfig = {
  /** Address of the runner of this control plane. */
  readonly runnerUrl: string | undefined;
  /** Whether schedules fetch, or only say that they would. */
  readonly executeFetch: boolean;
  /** The Kubernetes API as a pod reaches it. */
  readonly kubernetes: { readonly url: string; readonly serviceAccountFolder: string } | undefined;
};

const email = z.string().regex(/^[^\s@]+@[^\s@]+$/);
const port = z.string().regex(/^\d{1,5}$/);
/** HMAC with SHA-256 needs a key of that many bytes (RFC 7518, 3.2). */
const leastSecret = 32;

/** The port of a role (BCK-093), unless PORT says another. Throws `StartupRefused`. */
export function readPort(env: Environment, role: Role): number {
  const given = filled(env, 'PORT');
  if (given === undefined) return role === 'runner' ? 7102 : 7100;
  if (!port.safeParse(given).success || Number(given) < 1 || Number(given) > 65_535)
    throw new StartupRefused('PORT is not a port number: give one from 1 to 65535, or leave it out.');
  return Number(given);
}

/**
 * Reads and checks the settings. Throws `StartupRefused` at the first that cannot be used, in the words of
 * BCK-061 to BCK-073; no message holds a secret. Endpoint variables of earlier releases are not read (BCK-094).
 */
export function readCockpitConfig(env: Environment, role: Role): CockpitConfig {
  const sqliteFile = orDefault(env, 'SQLITE_PATH');
  if (sqliteFile !== ':memory:' && !isAbsolute(sqliteFile))
    throw new StartupRefused('SQLITE_PATH must be absolute: give the whole path of the file, from the root.');
  const namesEnrollment = readEnrollment(env);
  const signIn = readSignIn(env);
  const inference = readInferenceConfig(env);
  const embedding = readEmbeddingConfig(env);
  const envelopeKey = readAtRestKey(env);
  const appfs = readAppfsLocation(env);
  const replicaBucket = filled(env, 'REPLICA_BUCKET');
  return {
    role,
    sqliteFile,
    namesEnrollment,
    meshFolder: orDefault(env, 'MESH_DIR'),
    signIn,
    inference,
    embedding,
    envelopeKey,
    appfs,
    replica:
      replicaBucket === undefined
        ? undefined
        : {
            location: replicaLocation(appfs, replicaBucket, sqliteFile),
            object: replicaName(env, role),
          },
    raft: role === 'runner' ? undefined : readRaftConfig(env),
    estate: readEstate(env, role),
  };
}

/**
 * Returns whether RUNNER_ENROLL_ADDR is set, which needs RUNNER_ENROLL_TOKEN (BCK-071). No requirement says what an
 * enrolment sends where, so nothing is sent: a runner is known by the appfs root it shares and by the address in
 * MANAGED_RUNNER_ENDPOINT of its control plane. The token is not kept.
 */
function readEnrollment(env: Environment): boolean {
  if (filled(env, 'RUNNER_ENROLL_ADDR') === undefined) return false;
  if (filled(env, 'RUNNER_ENROLL_TOKEN') === undefined)
    throw new StartupRefused(
      'RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty: give the self-hosted runner its token, or unset RUNNER_ENROLL_ADDR.',
    );
  return true;
}

function readSignIn(env: Environment): SignInConfig {
  // Not trimmed: a secret is exactly its bytes, on the control plane as on its runners.
  const jwtSecret = new TextEncoder().encode(env.AUTH_JWT_SECRET ?? '');
  if ((env.AUTH_JWT_SECRET ?? '').trim() === '')
    throw new StartupRefused(
      'refusing to serve: no session signing key. Set AUTH_JWT_SECRET; in a cluster the session secret provides it.',
    );
  if (jwtSecret.length < leastSecret)
    throw new StartupRefused(
      `refusing to serve: no session signing key that is long enough. AUTH_JWT_SECRET has ${jwtSecret.length} bytes and needs ${leastSecret}.`,
    );
  const issuer = filled(env, 'OIDC_ISSUER');
  const clientId = filled(env, 'OIDC_CLIENT_ID');
  if (issuer !== undefined) checkIssuer(httpAddress('OIDC_ISSUER', issuer));
  const admin = filled(env, 'ADMIN_EMAIL');
  const adminEmail = admin === undefined ? undefined : asciiLowerCase(admin);
  if (adminEmail !== undefined && !email.safeParse(adminEmail).success)
    throw new StartupRefused('ADMIN_EMAIL is no email address: correct it, or unset it.');
  const password = env.ADMIN_PASSWORD ?? '';
  return {
    jwtSecret,
    oidc:
      issuer === undefined || clientId === undefined
        ? undefined
        : { issuer, clientId, audience: filled(env, 'OIDC_AUDIENCE') ?? clientId },
    googleClientId: filled(env, 'GOOGLE_CLIENT_ID') ?? clientId ?? '',
    allowedEmails: (filled(env, 'AUTH_ALLOWED_EMAILS') ?? '')
      .split(',')
      .map((each) => asciiLowerCase(each.trim()))
      .filter((each) => each !== ''),
    googleOnly: googleOnly(env),
    admin: adminEmail === undefined || password === '' ? undefined : { email: adminEmail, password },
  };
}

/** Another word than these two must not leave passwords on for who meant to turn them off. */
function googleOnly(env: Environment): boolean {
  const value = orDefault(env, 'AUTH_GOOGLE_ONLY');
  if (value !== 'true' && value !== 'false')
    throw new StartupRefused('AUTH_GOOGLE_ONLY must be true or false.');
  return value === 'true';
}

/** The keys that sign ID tokens must not come over a network in cleartext (OpenID Connect Discovery, 4). */
function checkIssuer(issuer: string): void {
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new StartupRefused('OIDC_ISSUER is not secure: its address must begin with https://.');
}

function replicaLocation(appfs: AppfsLocation, bucket: string, sqliteFile: string): AppfsLocation {
  if (appfs.kind === 'folder')
    throw new StartupRefused(
      'replica restore failed: REPLICA_BUCKET is set without OBJECTSTORE_ENDPOINT. Set the object store it is in, or unset it.',
    );
  if (sqliteFile === ':memory:')
    throw new StartupRefused(
      'replica restore failed: REPLICA_BUCKET is set without SQLITE_PATH, so there is no file to restore. Set it, or unset REPLICA_BUCKET.',
    );
  return { ...appfs, bucket };
}

/** A bucket may hold the replicas of several tenants and members: COCKPIT_TENANT and RUNNER_ID come from the operator. */
function replicaName(env: Environment, role: Role): string {
  const member = filled(env, 'RUNNER_ID') ?? filled(env, 'RAFT_NODE_ID') ?? role;
  const name = `replicas/${filled(env, 'COCKPIT_TENANT') ?? 'tenant'}/${member}`.toLowerCase();
  if (!isObjectName(name))
    throw new StartupRefused(
      'replica restore failed: COCKPIT_TENANT and RUNNER_ID must be letters, digits, dots, hyphens and underscores to name a replica.',
    );
  return name;
}

function readEstate(env: Environment, role: Role): EstateConfig {
  const runnerUrl = filled(env, 'MANAGED_RUNNER_ENDPOINT');
  const host = filled(env, 'KUBERNETES_SERVICE_HOST');
  const kubernetesPort = orDefault(env, 'KUBERNETES_SERVICE_PORT');
  return {
    runnerUrl:
      runnerUrl === undefined || role === 'runner'
        ? undefined
        : httpAddress('MANAGED_RUNNER_ENDPOINT', runnerUrl),
    // Exactly `true` (BCK-050): anything else must not start to fetch.
    executeFetch: filled(env, 'SCHEDULE_EXECUTE_FETCH') === 'true',
    kubernetes:
      host === undefined
        ? undefined
        : {
            url: `https://${host.includes(':') ? `[${host}]` : host}:${kubernetesPort}`,
            serviceAccountFolder: orDefault(env, 'KUBERNETES_SERVICE_ACCOUNT_DIR'),
          },
  };
}
