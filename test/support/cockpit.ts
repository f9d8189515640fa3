import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import { type Client, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, vi } from 'vitest';
import {
  type Cockpit,
  type CockpitOptions,
  type Role,
  readCockpitConfig,
  startCockpit,
} from '../../src-main/backends/cockpit/index.ts';
import type { BackendLog } from '../../src-main/backends/serving/index.ts';
import {
  type CertificateOptions,
  type CertifiedKey,
  issueCertificate,
} from '../../src-main/kube-api/certificates.ts';
import { AuthService } from '../../src-shared/gen/cockpit/v1/auth_pb.js';
import { program } from './program.ts';
import { repoRoot } from './repo-root.ts';

export const day = 86_400_000;
export const envelopeKey = Buffer.alloc(32, 5).toString('base64');
export const adminEmail = 'admin@example.com';
export const adminPassword = 'a break-glass password';

export type Env = Readonly<Record<string, string | undefined>>;
/** The break-glass admin. Its password is hashed at every start and every sign-in, which is meant to cost a third of a second. */
export const breakGlass: Env = { ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword };
export type MeshFiles = Partial<Record<'ca.crt' | 'ca.key' | 'tls.crt' | 'tls.key', string>>;
export type Authority = CertifiedKey & { readonly name: string };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder under the system's temporary one, removed after the tests of its file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cockpit-test-'));
  folders.push(folder);
  return folder;
}

/** A mesh CA that is valid for a year, unless said otherwise. */
export function meshCa(options: Partial<CertificateOptions> = {}): Authority {
  const name = 'mesh-ca';
  return { name, ...issueCertificate({ name, isCa: true, ...validNow(), ...options }) };
}

/** A leaf of a CA, valid for a day, unless said otherwise. */
export function meshLeaf(ca: Authority, options: Partial<CertificateOptions> = {}): CertifiedKey {
  return issueCertificate({
    name: 'cockpit-0',
    issuer: ca,
    hosts: ['localhost', '127.0.0.1'],
    ...validNow(1),
    ...options,
  });
}

export function validNow(days = 365): { notBefore: number; notAfter: number } {
  return { notBefore: Date.now() - day, notAfter: Date.now() + days * day };
}

/** The four files of an identity. */
export function meshFiles(ca: CertifiedKey, leaf: CertifiedKey): MeshFiles {
  return { 'ca.crt': ca.cert, 'ca.key': ca.key, 'tls.crt': leaf.cert, 'tls.key': leaf.key };
}

/** Writes files as Kubernetes mounts a Secret, and swaps the ones before for them in one step. */
export function mountMesh(folder: string, files: MeshFiles): string {
  const version = mkdtempSync(join(folder, '..version-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(version, name), text);
  const draft = join(folder, '..data_tmp');
  symlinkSync(version, draft);
  renameSync(draft, join(folder, '..data'));
  for (const name of Object.keys(files)) {
    rmSync(join(folder, name), { force: true });
    symlinkSync(join('..data', name), join(folder, name));
  }
  return folder;
}

/** A folder with a whole, valid mesh identity. */
export function meshFolder(ca: Authority = meshCa()): string {
  return mountMesh(newFolder(), meshFiles(ca, meshLeaf(ca)));
}

/** The least environment that starts, in folders of its own. Nobody can sign in. */
export function cockpitEnv(changes: Env = {}): Env {
  return {
    AUTH_JWT_SECRET: 'a session secret of these tests only',
    MESH_DIR: changes.MESH_DIR ?? meshFolder(),
    APPFS_ROOT: changes.APPFS_ROOT ?? newFolder(),
    PLATFORM_ENVELOPE_KEK: envelopeKey,
    INFERENCE_REMOTE_URL: 'http://127.0.0.1:9',
    ...changes,
  };
}

export type LogLine = { readonly level: keyof BackendLog; readonly fields: object; readonly message: string };
export type TestCockpit = Cockpit & {
  /** Oldest first. */
  readonly log: readonly LogLine[];
  messages(): string[];
};

/** Starts one on a free port. */
export async function testCockpit(
  env: Env = cockpitEnv(),
  options: Partial<CockpitOptions> & { readonly role?: Role } = {},
): Promise<TestCockpit> {
  const { role = 'control-plane', ...rest } = options;
  const log: LogLine[] = [];
  const line = (level: keyof BackendLog) => (fields: object, message: string) =>
    void log.push({ level, fields, message });
  const cockpit = await startCockpit({
    listen: { host: '127.0.0.1', port: 0 },
    config: readCockpitConfig(env, role),
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    ...rest,
  });
  return { ...cockpit, log, messages: () => log.map(({ message }) => message) };
}

/** A client of one service, with a bearer token where one is given. */
export function cockpitClient<T extends DescService>(service: T, url: string, token?: string): Client<T> {
  return createClient(
    service,
    createGrpcWebTransport({
      baseUrl: url,
      httpVersion: '1.1',
      interceptors: [
        (next) => (call) => {
          if (token !== undefined) call.header.set('authorization', `Bearer ${token}`);
          return next(call);
        },
      ],
    }),
  );
}

/**
 * A session, and what the environment of a cockpit needs to know it: its record is in the appfs root, so that every cockpit on that
 * root takes it (BCK-048) and a file of tests signs in once.
 */
export async function signedInOnce(): Promise<{ readonly env: Env; readonly token: string }> {
  const env = { APPFS_ROOT: newFolder(), MESH_DIR: meshFolder() };
  const cockpit = await testCockpit(cockpitEnv({ ...env, ...breakGlass }));
  const token = await adminToken(cockpit);
  await cockpit.close();
  return { env, token };
}

/** The token of a new session of the break-glass admin. */
export async function adminToken(cockpit: Cockpit): Promise<string> {
  const client = cockpitClient(AuthService, cockpit.url);
  const { session } = await client.login({ email: adminEmail, password: adminPassword });
  return session?.token ?? '';
}

/** Returns the code and message of a failed call. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: number; message: string }> {
  try {
    await call;
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    return { code, message: rawMessage };
  }
  throw new Error('the call was answered');
}

export type Answered = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
};

/** An HTTP server that answers JSON, or whatever `answer` does by itself when it returns undefined. */
export async function jsonServer(
  answer: (request: Answered, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; readonly requests: Answered[]; close(): Promise<void> }> {
  const requests: Answered[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(asked);
    const body = answer(asked, response);
    if (body === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ProgramRun = {
  readonly code: number | null;
  /** Lines of its log, parsed. */
  readonly log: readonly { readonly level: number; readonly msg: string }[];
  readonly stdout: string;
};

export type RunningProgram = {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<ProgramRun>;
};

/** Starts the program. It is ended after 25 s at most. */
export function startProgram(env: Env, args: readonly string[]) {
  const child = spawn(process.execPath, [program, 'backend', 'cockpit', ...args], {
    cwd: repoRoot,
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 25_000);
  const ended = new Promise<ProgramRun>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(late);
      const lines = stderr.split('\n').filter((line) => line !== '');
      resolve({ code, stdout, log: lines.map((line) => parsedLine(line)) });
    });
  });
  return { child, ended };
}

/** A line that is no JSON is kept as it is, so that a test shows it. */
function parsedLine(line: string): { level: number; msg: string } {
  try {
    return JSON.parse(line) as { level: number; msg: string };
  } catch {
    return { level: 0, msg: line };
  }
}

/** Runs the program until it ends, 25 s at most. */
export function runCockpit(
  env: Env,
  args: readonly string[] = ['--listen', '127.0.0.1:0'],
): Promise<ProgramRun> {
  return startProgram(env, args).ended;
}

/** Runs the program until it serves. */
export async function serveCockpit(env: Env, args: readonly string[] = []): Promise<RunningProgram> {
  const folder = newFolder();
  const file = join(folder, 'ready.json');
  const { child, ended } = startProgram(env, ['--listen', '127.0.0.1:0', '--ready-file', file, ...args]);
  let end: ProgramRun | undefined;
  void ended.then((run) => {
    end = run;
  });
  const ready = await vi.waitFor(
    () => {
      if (end !== undefined) return { url: '', pid: 0 };
      return JSON.parse(readFileSync(file, 'utf8')) as { url: string; pid: number };
    },
    { timeout: 20_000, interval: 50 },
  );
  if (end !== undefined) throw new Error(`it ended: ${JSON.stringify(end)}`);
  return {
    ...ready,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
