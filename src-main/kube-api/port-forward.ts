import { connect } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Faults } from './faults.ts';
import type { World } from './world.ts';

/** Protocol of channels over a WebSocket; the first byte of a message names its channel. */
const protocol = 'v4.channel.k8s.io';

/** Returns the WebSocket server for port-forward upgrades. */
export function portForwardServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
}

/**
 * Joins a WebSocket to the ports of a pod: for the n-th port channel 2n carries its bytes and 2n+1 what went wrong, each
 * beginning with the port number in two bytes, least first (kubelet, portforward/websocket.go).
 */
export function forwardPorts(
  socket: WebSocket,
  pod: { readonly namespace: string; readonly name: string },
  ports: readonly number[],
  world: World,
  faults: Faults,
): void {
  socket.on(
    'close',
    faults.opened(() => socket.terminate()),
  );
  const channels = ports.map((port, index) => {
    const data = index * 2;
    for (const channel of [data, data + 1]) socket.send(Buffer.from([channel, port & 0xff, port >> 8]));
    const endpoint = world.portOf?.(pod.namespace, pod.name, port);
    const fail = (why: string): void => {
      const message = `error forwarding port ${port} to pod ${pod.name}: ${why}`;
      if (socket.readyState === socket.OPEN)
        socket.send(Buffer.concat([Buffer.from([data + 1]), Buffer.from(message)]));
    };
    if (endpoint === undefined) {
      fail('connection refused');
      return undefined;
    }
    const connection = connect(endpoint.port, endpoint.host);
    connection.on('data', (bytes: Buffer) => socket.send(Buffer.concat([Buffer.from([data]), bytes])));
    connection.on('error', (error) => fail(error.message));
    connection.once('close', () => socket.close(1000));
    socket.once('close', () => connection.destroy());
    return connection;
  });
  socket.on('message', (message: Buffer) => {
    const [channel = 0] = message;
    if (channel % 2 === 0) channels[channel / 2]?.write(message.subarray(1));
  });
  socket.on('error', () => socket.terminate());
}
