import type { TestConsole } from './test-console.ts';

/** A JSON call of a console's route. */
export async function callJson(
  console: Pick<TestConsole, 'url'>,
  method: string,
  path: string,
  { cookie, body }: { cookie?: string; body?: object } = {},
) {
  const answer = await fetch(`${console.url}${path}`, {
    method,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    // The shape is what the test asserts.
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any route
    json: (text === '' ? undefined : JSON.parse(text)) as any,
  };
}
