import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { processEnd } from '../../base/process-end.ts';
import { voiceResource } from './resource.ts';

/** Longest time an engine may take, in ms. */
const patience = 30_000;
/** A voice whose words the listener of the sandbox understands, at a pace people follow. */
const voice = ['-v', 'en-us+f3', '-s', '140'];

/** Speaks a text into a stream, as a WAV file of unknown length. The text goes in by standard input, never as an argument. */
export async function say(program: string, text: string, into: Writable): Promise<void> {
  processEnd.throwIfAborted();
  const speaker = spawn(program, [...voice, '--stdin', '--stdout'], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patience,
  });
  speaker.on('error', () => into.destroy());
  speaker.stdin.on('error', () => undefined);
  // Whoever stops listening stops the engine.
  into.once('close', () => speaker.kill());
  speaker.stdin.end(text);
  await pipeline(speaker.stdout, into).catch(() => undefined);
}

/**
 * Writes down a WAV file; undefined for one that is not mono, 16 bits, 16 kHz. Empty when the engine understood nothing:
 * it knows the sentences of its grammar and no others.
 */
export async function recognise(program: string, model: string, wav: Buffer): Promise<string | undefined> {
  if (!isPlainWav(wav)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-voice-'));
  try {
    const [recording, dictionary] = [join(folder, 'recording.wav'), join(folder, 'words.dict')];
    await writeFile(recording, wav, { mode: 0o600 });
    const [words, more] = await Promise.all([
      readFile(join(model, 'cmudict-en-us.dict')),
      readFile(voiceResource('words.dict')),
    ]);
    await writeFile(dictionary, Buffer.concat([words, more]));
    const said = await outputOf(program, [
      ['-infile', recording],
      ['-hmm', join(model, 'en-us')],
      ['-dict', dictionary],
      ['-jsgf', voiceResource('commands.gram')],
      ['-logfn', '/dev/null'],
    ]);
    return said.trim().replace(/\s+/g, ' ');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function outputOf(program: string, options: readonly (readonly [string, string])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    processEnd.throwIfAborted();
    const listener = spawn(program, options.flat(), {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: patience,
    });
    const pieces: Buffer[] = [];
    listener.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    listener.on('error', reject);
    listener.on('close', () => resolve(Buffer.concat(pieces).toString('utf8')));
  });
}

/** RIFF, WAVE, PCM, one channel, 16,000 samples a second, 16 bits each (Microsoft, Multimedia Programming Interface). */
function isPlainWav(wav: Buffer): boolean {
  return (
    wav.length > 44 &&
    wav.toString('latin1', 0, 4) === 'RIFF' &&
    wav.toString('latin1', 8, 16) === 'WAVEfmt ' &&
    wav.readUInt16LE(20) === 1 &&
    wav.readUInt16LE(22) === 1 &&
    wav.readUInt32LE(24) === 16_000 &&
    wav.readUInt16LE(34) === 16
  );
}
