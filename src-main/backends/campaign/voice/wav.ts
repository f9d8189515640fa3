import { RouteRefused } from '../../serving/index.ts';

/** The sound this backend takes: raw PCM, 16 kHz, mono, 16 bits signed little-endian. */
export const pcmRate = 16_000;
export const pcmSampleBytes = 2;

const headerBytes = 44;

/** A body as samples. Throws 400 for one that is none, or half a sample more than some. */
export function readSamples(body: Buffer): Buffer {
  if (body.length > 0 && body.length % pcmSampleBytes === 0) return body;
  throw new RouteRefused(
    400,
    `The recording has ${body.length} bytes: PCM of 16 bits has an even number of them, and at least two.`,
  );
}

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
