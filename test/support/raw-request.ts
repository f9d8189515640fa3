import { connect } from 'node:net';

/** Time a busy machine may take to begin its answer, in milliseconds. */
const longest = 10_000;

/** Sends bytes to a server and answers all it sent back, until it closed or was silent for `quietMs` after it began. */
export function rawRequest(url: string, bytes: string, quietMs = 300): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1');
    socket.setTimeout(longest, () => socket.destroy());
    socket.on('data', (text) => {
      answer += text;
      socket.setTimeout(quietMs);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}
