import { connect } from 'node:net';
import type { Sequence } from './sequences.ts';

/** Time in which a server has to close a connection whose client has ended, or asked it to, in ms. */
const longestMs = 20_000;

/** Plays a sequence; resolves to what was wrong, or to undefined. */
function play({ port, bytes, pauses, ending, ms, reads }: Sequence): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let timer: NodeJS.Timeout | undefined;
    const done = (wrong?: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(wrong);
    };
    // A port that refuses may be one whose server was given up: who plays looks whether the process is there.
    socket.on('error', () => done());
    socket.once('close', () => done());
    // Its side of the connection is closed: that is the end it owes.
    socket.once('end', () => done());
    if (reads) socket.resume();
    const leave = (): void => {
      if (ending === 'end') socket.end();
      else if (ending === 'reset') socket.resetAndDestroy();
      else if (ending === 'close') socket.destroy();
      if (ending !== 'end' && ending !== 'stay') return;
      timer = setTimeout(() => done('the server did not close the connection'), longestMs);
    };
    socket.once('connect', () => {
      const [pause = bytes.length] = pauses;
      socket.write(bytes.subarray(0, pause));
      if (pause === bytes.length) {
        timer = setTimeout(leave, ms);
        return;
      }
      timer = setTimeout(() => {
        if (!socket.destroyed) socket.write(bytes.subarray(pause));
        timer = setTimeout(leave, ms);
      }, 2);
    });
  });
}

/**
 * Plays `count` sequences, `atOnce` at a time; `sequenceAt` makes them by their number. Stops at the first that is wrong, and throws with
 * its number.
 */
export async function playAll(
  count: number,
  atOnce: number,
  sequenceAt: (at: number) => Sequence,
): Promise<void> {
  let next = 0;
  let wrong: string | undefined;
  const work = async (): Promise<void> => {
    while (next < count && wrong === undefined) {
      const at = next++;
      const sequence = sequenceAt(at);
      const found = await play(sequence);
      if (found === undefined) continue;
      const how = `${JSON.stringify(sequence.pauses)}, ${sequence.ms} ms`;
      const sent = JSON.stringify(sequence.bytes.toString('latin1').slice(0, 2000));
      wrong ??= `sequence ${at} at port ${sequence.port} (${sequence.ending}, pauses ${how}): ${found}. It sent ${sent}`;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (wrong !== undefined) throw new Error(wrong);
}
