import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StoreLocation } from '../../src-main/store/index.ts';
import type { WriterOrder } from './audit-writer.ts';
import { bundleProgram } from './bundled-program.ts';

/** A process that appends to an audit chain. */
export type Writer = {
  /** Resolves when it waits for its order. */
  loaded(): Promise<void>;
  /** Resolves at its first acknowledged record. */
  atWork(): Promise<void>;
  /** Targets of the records that were acknowledged to it. */
  acknowledged(): Promise<readonly string[]>;
  go(order: Omit<WriterOrder, 'place'> & { place: StoreLocation }): void;
  /** SIGKILL, and the end of it. */
  kill(): Promise<void>;
  /** Its exit code, and what it said of failures. */
  ended(): Promise<{ code: number | null; stderr: string }>;
};

export type Writers = {
  /** A writer that has loaded its program and waits for its order. */
  start(): Writer;
};

/** Builds the writer's program: the tests start hundreds. */
export function buildWriters(): Writers {
  const program = bundleProgram(join(import.meta.dirname, 'audit-writer.ts'));
  return {
    start: () => writerOf(spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] })),
  };
}

function writerOf(child: ChildProcess): Writer {
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  const lines = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.split('\n').length > count) resolve();
      };
      waiting.add(look);
      look();
      child.once('close', () => reject(new Error(`A writer ended by itself: ${stderr}`)));
    });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A writer that is killed before it reads its order.
  child.stdin?.on('error', () => undefined);
  const closed = once(child, 'close');
  return {
    loaded: () => lines(1),
    atWork: () => lines(2),
    async acknowledged() {
      await closed;
      // What follows the last line break was cut off while it was written.
      return stdout.split('\n').slice(1, -1);
    },
    go({ place, ...order }) {
      const told =
        place.kind === 'postgres'
          ? place
          : { kind: place.kind, file: place.file, key: place.encryption.toString('base64') };
      child.stdin?.end(`${JSON.stringify({ ...order, place: told })}\n`);
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async ended() {
      await closed;
      return { code: child.exitCode, stderr };
    },
  };
}
