import type { Channel } from './port-connection.ts';

/** A port of the browser as a channel. Both ends are of one build, so what comes is what the other end's types say. */
export function channelOf<Out, In>(port: MessagePort): Channel<Out, In> {
  return {
    send: (message) => port.postMessage(message),
    listen(hear) {
      port.addEventListener('message', ({ data }: MessageEvent<In>) => hear(data));
      port.start();
    },
    onGone: (gone) => port.addEventListener('close', gone),
  };
}
