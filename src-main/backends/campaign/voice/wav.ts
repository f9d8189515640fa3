/** The sound this backend takes: raw PCM, 16 kHz, mono, 16 bits signed little-endian. */
export const pcmRate = 16_000;
export const pcmSampleBytes = 2;

const headerBytes = 44;

/** Raw PCM as a WAV file (RIFF WAVE, format 1), which says of itself what it is. */
export function wavFile(pcm: Buffer): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(pcmRate, 24);
  header.writeUInt32LE(pcmRate * pcmSampleBytes, 28);
  header.writeUInt16LE(pcmSampleBytes, 32);
  header.writeUInt16LE(8 * pcmSampleBytes, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}
