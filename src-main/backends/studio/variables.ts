import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the studio reads; its part of docs/backends.md is written from this table. */
export const studioVariables = [
  variable(
    'CONSOLE_STUDIO_IDENTITY_KEY',
    'base64',
    '',
    'Key shared with the console, at least 32 bytes; checks who a request acts for. The studio does not start without it.',
    { secret: true },
  ),
  variable(
    'STUDIO_CLOCK_TOLERANCE',
    'seconds',
    '0',
    "Difference from the console's clock that is allowed, 60 at most: an assertion is good for 120 s and that much longer. For a console on another machine.",
  ),
  variable(
    'STUDIO_STORE_FILE',
    'file',
    ':memory:',
    'SQLite file of the chats; in memory they are gone with the process.',
  ),
  variable('STUDIO_WEB_DIR', 'folder', '', 'Folder of the web bundle.', { otherwise: 'the built bundle' }),
  variable('INFERENCE_REMOTE_URL', 'url', '', 'OpenAI-compatible endpoint of the model that answers.', {
    otherwise: 'the built-in planner answers, and says so',
  }),
  variable('INFERENCE_MODEL', 'name', '', 'Model to ask it for, and whom answers are shown to be of.'),
  variable('INFERENCE_API_KEY', 'text', '', 'Bearer token for it.', { secret: true }),
] as const;

/** The environment as the studio looks at it. */
export type Environment = EnvironmentOf<typeof studioVariables>;
export const { filled, orDefault } = variableReader(studioVariables);
