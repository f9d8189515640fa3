import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './postgres-server.ts';

/** A real S3 server over plain HTTP, with one bucket. */
export type RealS3Server = { readonly port: number; readonly bucket: string; stop(): Promise<void> };

/** Name of the bucket it has. */
const bucket = 'orders-exports';

/**
 * Starts MinIO where it is installed; or takes the server that `TEST_S3_URL` names (`http://host:port/bucket`). Else says
 * why there is none: neither Debian nor the package registry ships a server that is still kept up, so that CI has only the double.
 */
export async function startRealS3(): Promise<RealS3Server | { readonly missing: string }> {
  const given = process.env.TEST_S3_URL;
  if (given !== undefined) {
    const { port, pathname } = new URL(given);
    return { port: Number(port), bucket: pathname.slice(1), stop: async () => undefined };
  }
  try {
    execFileSync('minio', ['--version'], { stdio: 'ignore' });
  } catch {
    return { missing: 'no S3 server: install minio, or set TEST_S3_URL=http://host:port/bucket' };
  }
  const folder = mkdtempSync(join(tmpdir(), 'console-s3-'));
  // A folder of the data folder is a bucket.
  mkdirSync(join(folder, bucket));
  const port = await freePort();
  const server = spawn('minio', ['server', '--address', `127.0.0.1:${port}`, folder], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await answering(port, server);
  return { port, bucket, stop };
}

async function answering(port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100 && server.exitCode === null; tries += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await delay(100);
    }
  }
  throw new Error('the S3 server did not start');
}
