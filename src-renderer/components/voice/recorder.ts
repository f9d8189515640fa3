/** Samples a second that speech-to-text services take. */
const rate = 16_000;

/** A recording under way. */
export type Recording = {
  /** Loudness now, from 0 to 1. */
  level(): number;
  /** Ends it and returns it as a WAV file, mono, 16 bits, 16 kHz. */
  finish(): Promise<Blob>;
  /** Ends it and forgets it. */
  cancel(): void;
};

/** Returns the microphones of this machine; without names before the person has allowed one. */
export async function microphones(): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.flatMap(({ kind, deviceId, label }, index) =>
    kind === 'audioinput' && deviceId !== ''
      ? [{ id: deviceId, name: label || `Microphone ${index + 1}` }]
      : [],
  );
}

/** Listens to a microphone; the browser asks the person first. Throws when they refuse or there is none. */
export async function startRecording(device: string | undefined): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      channelCount: 1,
      // Nothing is played while it listens, and a recogniser hears better what was not touched.
      echoCancellation: false,
      noiseSuppression: false,
      ...(device === undefined ? {} : { deviceId: { exact: device } }),
    },
  });
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.start();
  const release = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.sqrt(power) * 4);
    },
    async finish() {
      const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
      recorder.stop();
      await ended;
      release();
      const encoded = await new Blob(pieces).arrayBuffer();
      // Decoding in a context resamples to its rate.
      const decoded = await new OfflineAudioContext(1, 1, rate).decodeAudioData(encoded);
      return wavOf(decoded.getChannelData(0));
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    },
  };
}

/** Returns samples as a WAV file (PCM, mono, 16 bits). */
function wavOf(samples: Float32Array): Blob {
  const bytes = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at: number, letters: string): void => {
    for (const [index, letter] of [...letters].entries()) bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, 'RIFF');
  bytes.setUint32(4, 36 + samples.length * 2, true);
  text(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, rate * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  text(36, 'data');
  bytes.setUint32(40, samples.length * 2, true);
  for (const [index, sample] of samples.entries())
    bytes.setInt16(44 + index * 2, Math.max(-1, Math.min(1, sample)) * 0x7fff, true);
  return new Blob([bytes.buffer], { type: 'audio/wav' });
}
