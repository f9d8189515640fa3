import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A running contestant: the port it listens on and every process whose cost is its own. */
export type Contestant = {
  readonly name: string;
  readonly port: number;
  readonly pids: readonly number[];
  /** Has a Node child collect its garbage, so that memory counts what is held. */
  collect(): Promise<void>;
  stop(): void;
};

const here = import.meta.dirname;
const TICKS_PER_SECOND = 100;

/** User and system CPU of the processes so far, in microseconds (proc(5): utime and stime in 10 ms ticks). */
export function cpuMicroseconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1e6) / TICKS_PER_SECOND;
}

/** Resident memory of the processes in bytes (proc(5): VmRSS). */
export function residentBytes(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids)
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  return kilobytes * 1024;
}

/** Whether a program is on this machine. */
export const has = (program: string): boolean => spawnSync('which', [program]).status === 0;

export const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let text = '';
    child.stdout?.on('data', (data: Buffer) => {
      text += String(data);
      if (text.includes('\n')) done(text.split('\n')[0] ?? '');
    });
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`${child.spawnargs.join(' ')} ended with ${code}`)));
  });

/** A bench file of this folder in a Node process of its own. */
export const startNode = (file: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['--expose-gc', join(here, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });

export async function startContestant(
  name: string,
  upstreamPort: number,
  folder: string,
): Promise<Contestant> {
  if (name === 'Go ReverseProxy') return startGo(name, upstreamPort, folder);
  if (name === 'nginx') return startNginx(name, upstreamPort, folder);
  const child = startNode('contestant.ts', [name, String(upstreamPort)]);
  const port = Number(await firstLine(child));
  return {
    name,
    port,
    pids: [child.pid ?? 0],
    collect: () =>
      new Promise((done) => {
        child.once('message', () => done());
        child.send('collect');
      }),
    stop: () => child.kill('SIGKILL'),
  };
}

async function startGo(name: string, upstreamPort: number, folder: string): Promise<Contestant> {
  const source = join(folder, 'main.go');
  copyFileSync(join(here, 'reverse-proxy.go.txt'), source);
  const binary = join(folder, 'go-proxy');
  execFileSync('go', ['build', '-o', binary, source], {
    cwd: folder,
    env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPROXY: 'off' },
  });
  const child = spawn(binary, [String(upstreamPort)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = Number(await firstLine(child));
  return { name, port, pids: [child.pid ?? 0], collect: async () => {}, stop: () => child.kill('SIGKILL') };
}

/** nginx signs nothing: it sets a fixed header. It shows how low the floor is. */
async function startNginx(name: string, upstreamPort: number, folder: string): Promise<Contestant> {
  const port = await freePort();
  const root = join(folder, 'nginx');
  mkdirSync(root, { recursive: true });
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off; master_process off; pid ${root}/pid; error_log ${root}/error.log crit;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 10000000; client_body_temp_path ${root}/b; proxy_temp_path ${root}/p;
fastcgi_temp_path ${root}/f; uwsgi_temp_path ${root}/u; scgi_temp_path ${root}/s;
upstream studio { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 10000000; }
server { listen 127.0.0.1:${port}; location /studio/ {
if ($cookie_console_session = '') { return 401; }
proxy_pass http://studio/; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_buffering off;
proxy_request_buffering off; client_max_body_size 0;
proxy_set_header X-Console-Identity ${'x'.repeat(220)}; proxy_set_header Cookie 'theme=dark'; } } }`,
  );
  const child = spawn('nginx', ['-p', root, '-c', join(root, 'nginx.conf'), '-e', join(root, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((done) => setTimeout(done, 300));
  return { name, port, pids: [child.pid ?? 0], collect: async () => {}, stop: () => child.kill('SIGKILL') };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
