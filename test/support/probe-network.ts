import { connect, type Socket } from 'node:net';
import type { Network } from '../../src-main/sources/service-probe/index.ts';

/** A network of public addresses that lead to servers on loopback, and what was asked of it. */
export type ProbeNetwork = Network & {
  /** Names that were looked up, in order. */
  readonly lookedUp: string[];
  /** `address:port` of every connection that was begun. */
  readonly dialled: string[];
};

export type ProbeNetworkOptions = {
  /** Addresses of a name; a function is asked each time, so that a name can be rebound. */
  readonly names?: Readonly<Record<string, readonly string[] | (() => readonly string[])>>;
  /** Loopback port behind a public address, whatever its port. */
  readonly ports?: Readonly<Record<string, number>>;
};

/** Builds the network. A name it does not have does not resolve; a literal address resolves to itself. */
export function probeNetwork({ names = {}, ports = {} }: ProbeNetworkOptions): ProbeNetwork {
  const lookedUp: string[] = [];
  const dialled: string[] = [];
  return {
    lookedUp,
    dialled,
    async resolve(host) {
      lookedUp.push(host);
      const found = names[host];
      if (typeof found === 'function') return found();
      if (found !== undefined) return found;
      if (/^[\d.]+$/.test(host) || host.includes(':')) return [host];
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    },
    connect(address, port): Socket {
      dialled.push(`${address}:${port}`);
      // Port 9 is closed: nothing answers at an address the test did not name.
      return connect({ host: '127.0.0.1', port: ports[address] ?? 9 });
    },
  };
}
