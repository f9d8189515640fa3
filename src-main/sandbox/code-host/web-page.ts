import type { Answer, Call } from './answer.ts';
import { escaped } from './app-registration.ts';

/** The page behind a link to the code host's web site, which the sandbox does not have: it says what would be there. */
export function webPage({ path, rendering }: Call): Answer | undefined {
  const [, login] = path.split('/');
  const known = rendering.world.organisations.some((org) => org.login === login);
  if (!known && !path.startsWith('/apps/')) return undefined;
  const title = escaped(path);
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 10vh auto; padding: 0 1em">
<p>This is the sandbox's code host. It answers programs and has no web pages.</p>
<p>At a real code host, <code>${title}</code> is here.</p>
`,
  };
}
