import { type BinaryLike, type ScryptOptions, scrypt } from 'node:crypto';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

/** The process is to end: nothing begins any more. */
class ProcessEnding extends Error {
  override readonly name = 'ProcessEnding';

  constructor() {
    super('The program is ending.');
  }
}

const end = new AbortController();
let working = 0;

/**
 * Aborted once this process is to end. It is asked before whatever would outlive the request to end: a server that
 * listens, a program or a thread that is started, a key that is computed. There is one for the process, because its end
 * is of the process: a test holds every place of the program to it.
 */
export const processEnd: AbortSignal = end.signal;

/** Says that the process is to end. Cannot be taken back. */
export function beginProcessEnd(): void {
  end.abort(new ProcessEnding());
}

/** Returns whether an error only says that the process is to end. */
export function isProcessEnding(error: unknown): boolean {
  return error instanceof ProcessEnding;
}

/**
 * Resolves to the address when the server accepts connections. Rejects when the address is taken or not ours, and
 * when the process is to end: the server is closed then.
 */
export function listenOn(server: Server, at: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    processEnd.throwIfAborted();
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      const address = server.address();
      if (processEnd.aborted) server.close();
      if (processEnd.aborted) reject(processEnd.reason);
      else if (address === null || typeof address === 'string')
        reject(new Error('the server listens on no port'));
      else resolve(address);
    });
  });
}

/** Returns a key of `bytes` bytes by scrypt (RFC 7914). Rejects for parameters that scrypt does not take, and at the end. */
export async function deriveKey(
  password: BinaryLike,
  salt: BinaryLike,
  bytes: number,
  options: ScryptOptions,
): Promise<Buffer> {
  processEnd.throwIfAborted();
  working += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(password, salt, bytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
    });
  } finally {
    working -= 1;
  }
}

/** Returns whether a key is being computed: Node does not list that work, and its threads hold the exit. */
export function isComputing(): boolean {
  return working > 0;
}
