const header = 44;

/** Returns a mono WAV file of 16-bit samples at another rate, with half a second of silence around it. */
export function resampled(wav: Buffer, rate: number): Buffer {
  const from = wav.readUInt32LE(24);
  const count = Math.floor((wav.length - header) / 2);
  const length = Math.floor((count * rate) / from);
  const silence = Buffer.alloc(rate);
  const samples = Buffer.alloc(length * 2);
  for (let index = 0; index < length; index += 1) {
    const at = (index * from) / rate;
    const before = Math.floor(at);
    const sample = (n: number): number => wav.readInt16LE(header + Math.min(n, count - 1) * 2);
    const value = sample(before) + (sample(before + 1) - sample(before)) * (at - before);
    samples.writeInt16LE(Math.round(value * 0.8), index * 2);
  }
  return wavOf(Buffer.concat([silence, samples, silence]), rate);
}

/** Returns samples as a WAV file (PCM, mono, 16 bits). */
function wavOf(samples: Buffer, rate: number): Buffer {
  const head = Buffer.alloc(header);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
