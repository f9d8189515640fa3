import { failureOf } from './voice-failure.ts';

/** Speech under way. */
export type Speaking = {
  /** Resolves when it has been heard to its end, or was stopped. Rejects when it could not be spoken. */
  readonly ended: Promise<void>;
  stop(): void;
};

const header = 44;

/** Speaks a text; the first words are heard while the rest is still on its way. */
export function speak(text: string): Speaking {
  const leave = new AbortController();
  const context = new AudioContext();
  const ended = play(text, context, leave.signal)
    .catch((error: unknown) => {
      if (!leave.signal.aborted) throw error;
    })
    .finally(() => context.close());
  return { ended, stop: () => leave.abort() };
}

async function play(text: string, context: AudioContext, signal: AbortSignal): Promise<void> {
  const response = await fetch('/api/tts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal,
  });
  if (!response.ok || response.body === null) throw await failureOf(response);
  if (response.headers.get('content-type') !== 'audio/wav') {
    // Another format is decoded as a whole.
    const decoded = await context.decodeAudioData(await response.arrayBuffer());
    return heard(context, schedule(context, decoded, 0), signal);
  }
  let rest = new Uint8Array(0);
  let rate = 0;
  let next = 0;
  const reader = response.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const joined = new Uint8Array(rest.length + piece.value.length);
    joined.set(rest);
    joined.set(piece.value, rest.length);
    rest = joined;
    if (rate === 0 && rest.length >= header) {
      rate = new DataView(rest.buffer).getUint32(24, true);
      rest = rest.slice(header);
    }
    const whole = rest.length - (rest.length % 2);
    if (rate === 0 || whole === 0) continue;
    const samples = new DataView(rest.buffer, rest.byteOffset, whole);
    const buffer = context.createBuffer(1, whole / 2, rate);
    const channel = buffer.getChannelData(0);
    for (let index = 0; index < channel.length; index += 1)
      channel[index] = samples.getInt16(index * 2, true) / 0x8000;
    next = schedule(context, buffer, next);
    rest = rest.slice(whole);
  }
  return heard(context, next, signal);
}

/** Plays a buffer after what is scheduled; returns when it ends, by the context's clock. */
function schedule(context: AudioContext, buffer: AudioBuffer, after: number): number {
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  const start = Math.max(after, context.currentTime);
  source.start(start);
  return start + buffer.duration;
}

function heard(context: AudioContext, end: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const left = Math.max(0, end - context.currentTime) * 1000;
    const timer = setTimeout(resolve, left);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
