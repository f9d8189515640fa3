import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';

/** What a probe reaches the network by. */
export type Network = {
  /** Returns every address of a name, in the order of the system's resolver. */
  resolve(host: string): Promise<readonly string[]>;
  /** Starts to connect to an address; never to a name, which would be looked up once more. */
  connect(address: string, port: number): Socket;
};

/** The network of this machine, with its hosts file and search domains. */
export const systemNetwork: Network = {
  async resolve(host) {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  },
  connect: (address, port) => connect({ host: address, port, autoSelectFamily: false }),
};
