import { expect, it } from 'vitest';
import { testConsole } from '../../support/test-console.ts';

it('GET /api/platform is not complete while the studio was not asked', async () => {
  const console_ = await testConsole({ CONSOLE_STUDIO_IDENTITY_KEY: '' });
  try {
    const answer = await fetch(`${console_.url}/api/platform`, {
      headers: { cookie: await console_.cookie() },
    });
    expect(await answer.json()).toMatchObject({
      studio: { state: 'key_missing' },
      source: 'unavailable',
      complete: false,
      unmeasured: [expect.stringContaining('The studio was not asked: ')],
    });
  } finally {
    await console_.close();
  }
});
