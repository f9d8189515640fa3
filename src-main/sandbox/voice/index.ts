import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { answerWith, httpServer, requestUrl } from '../../base/http-server.ts';
import { BodyTooLarge, readBody } from '../../base/read-body.ts';
import { close, listen, urlOf } from '../listening.ts';
import { recognise, say } from './engines.ts';

export type SandboxVoice = {
  /** Address of the text-to-speech service; undefined where its engine is not installed. */
  readonly ttsUrl: string | undefined;
  /** Address of the speech-to-text service; undefined where its engine is not installed. */
  readonly sttUrl: string | undefined;
  /** Debian packages that are not installed and would give it a voice or ears. */
  readonly missing: readonly string[];
  close(): Promise<void>;
};

const largestText = 64 * 1024;
const largestRecording = 26 * 1024 * 1024;
/** The acoustic model and dictionary of the package `pocketsphinx-en-us`. */
const model = '/usr/share/pocketsphinx/model/en-us';

/**
 * Speech services on loopback with the audio interface of the OpenAI API, on engines of the system: espeak-ng speaks,
 * and pocketsphinx writes down the sentences of `resources/sandbox/voice/commands.gram`. An engine that is not installed is not
 * pretended to be.
 */
export async function startSandboxVoice(path = process.env.PATH ?? ''): Promise<SandboxVoice> {
  const speaker = programOf('espeak-ng', path);
  const listener = existsSync(model) ? programOf('pocketsphinx_continuous', path) : undefined;
  const server = httpServer();
  answerWith(server, {
    async request(request, response) {
      const { pathname } = requestUrl(request) ?? { pathname: '' };
      const refuse = (status: number, message: string): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
      };
      try {
        if (request.method === 'POST' && pathname === '/v1/audio/speech' && speaker !== undefined) {
          const asked: { input?: unknown } = JSON.parse(
            (await readBody(request, largestText)).toString('utf8'),
          );
          if (typeof asked.input !== 'string' || asked.input.trim() === '') {
            refuse(400, 'There is nothing to say.');
            return;
          }
          response.writeHead(200, { 'content-type': 'audio/wav' });
          await say(speaker, asked.input, response);
        } else if (
          request.method === 'POST' &&
          pathname === '/v1/audio/transcriptions' &&
          listener !== undefined
        ) {
          const body = await readBody(request, largestRecording);
          const form = await new Response(Buffer.from(body), {
            headers: { 'content-type': request.headers['content-type'] ?? '' },
          }).formData();
          const file = form.get('file');
          const wav = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : undefined;
          const text = wav === undefined ? undefined : await recognise(listener, model, wav);
          if (text === undefined) refuse(415, 'Send a WAV file of 16-bit samples, mono, 16 kHz.');
          else {
            response.writeHead(200, { 'content-type': 'application/json' });
            response.end(JSON.stringify({ text }));
          }
        } else refuse(404, 'There is nothing at this address.');
      } catch (error) {
        if (!(error instanceof BodyTooLarge || error instanceof SyntaxError || error instanceof TypeError))
          throw error;
        refuse(400, 'The request was not understood.');
      }
    },
  });
  await listen(server);
  const url = urlOf(server);
  return {
    ttsUrl: speaker === undefined ? undefined : url,
    sttUrl: listener === undefined ? undefined : url,
    missing: [
      ...(speaker === undefined ? ['espeak-ng'] : []),
      ...(listener === undefined ? ['pocketsphinx', 'pocketsphinx-en-us'] : []),
    ],
    close: () => close(server),
  };
}

function programOf(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}
