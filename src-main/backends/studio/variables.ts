import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the studio reads; its part of docs/backends.md is written from this table. */
export const studioVariables = [
  variable(
    'CONSOLE_STUDIO_IDENTITY_KEY',
    'base64',
    '',
    'Key shared with the console, at least 32 bytes; verifies the identity of requests. The studio does not start without it.',
    { secret: true },
  ),
  variable(
    'STUDIO_CLOCK_TOLERANCE',
    'seconds',
    '0',
    'Allowed clock skew to the console, 60 at most, added to the 120 s an assertion is valid. For a console on another machine.',
  ),
  variable(
    'STUDIO_STORE_FILE',
    'file',
    ':memory:',
    'SQLite file of the chats; in memory they are lost on exit.',
  ),
  variable('STUDIO_WEB_DIR', 'folder', '', 'Folder of the web bundle.', { otherwise: 'the built bundle' }),
  variable('INFERENCE_REMOTE_URL', 'url', '', 'OpenAI-compatible endpoint of the model that answers.', {
    otherwise: 'the built-in planner, labelled as such',
  }),
  variable('INFERENCE_MODEL', 'name', '', 'Model to request, shown as the author of answers.'),
  variable('INFERENCE_API_KEY', 'text', '', 'Its bearer token.', { secret: true }),
] as const;

/** The environment as the studio looks at it. */
export type Environment = EnvironmentOf<typeof studioVariables>;
export const { filled, orDefault } = variableReader(studioVariables);
