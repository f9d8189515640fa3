import { describe, expect, it } from 'vitest';
import { readStudioConfig } from '../../../../src-main/backends/studio/index.ts';

const key = Buffer.alloc(32, 7).toString('base64');

describe('the configuration of the studio', () => {
  it('needs only the identity key', () => {
    expect(readStudioConfig({ CONSOLE_STUDIO_IDENTITY_KEY: key })).toEqual({
      identityKey: Buffer.alloc(32, 7),
      clockTolerance: 0,
      storeFile: ':memory:',
    });
  });

  it('reads the model, the store and the bundle', () => {
    expect(
      readStudioConfig({
        CONSOLE_STUDIO_IDENTITY_KEY: key,
        INFERENCE_REMOTE_URL: 'http://127.0.0.1:11434',
        INFERENCE_MODEL: 'qwen3',
        INFERENCE_API_KEY: 'key-1',
        STUDIO_STORE_FILE: '/data/studio.db',
        STUDIO_WEB_DIR: '/srv/studio-web',
      }),
    ).toMatchObject({
      inference: { url: 'http://127.0.0.1:11434', model: 'qwen3', apiKey: 'key-1' },
      storeFile: '/data/studio.db',
      webDir: '/srv/studio-web',
    });
  });

  it('refuses a key that is absent, not base64 or short, naming the variable and not the value', () => {
    const short = Buffer.from('secret-secret').toString('base64');
    for (const [value, words] of [
      [undefined, 'is not set'],
      ['  ', 'is not set'],
      ['not base64!', 'is not base64'],
      [short, 'is 13 bytes long'],
    ] as const) {
      const read = () => readStudioConfig(value === undefined ? {} : { CONSOLE_STUDIO_IDENTITY_KEY: value });
      expect(read).toThrow(`CONSOLE_STUDIO_IDENTITY_KEY ${words}`);
      expect(read).not.toThrow(short);
    }
  });

  it('refuses an inference address that is not http', () => {
    expect(() =>
      readStudioConfig({ CONSOLE_STUDIO_IDENTITY_KEY: key, INFERENCE_REMOTE_URL: 'file:///etc/passwd' }),
    ).toThrow('INFERENCE_REMOTE_URL');
  });
});
