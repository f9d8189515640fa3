import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the campaign backend reads; its part of docs/backends.md is written from this table. */
export const campaignVariables = [
  variable(
    'CAMPAIGN_STORE',
    'file | postgres url',
    ':memory:',
    'SQLite file, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` to share one store between backends; data in memory is lost on exit.',
    { secret: true },
  ),
  variable(
    'CAMPAIGN_PUBLIC_BASE_URL',
    'url',
    '',
    'Public base URL; required for the podcast feed and to verify incoming messages; https makes the session cookie `Secure`.',
  ),
  variable(
    'CAMPAIGN_PODCAST_IMAGE_URL',
    'url',
    '',
    "Podcast cover (`<itunes:image>`): JPEG or PNG, 1,400 to 3,000 pixels a side; required by Apple's directory.",
  ),
  variable(
    'CAMPAIGN_WEB_DIR',
    'folder',
    '',
    'Folder of the built web app, 64 MB at most; if unset, unknown paths answer 404.',
  ),
  variable('CAMPAIGN_MEDIA_DIR', 'folder', '', 'Folder for sealed media; not allowed with an object store.', {
    otherwise: '`media` beside the store; a temporary folder with a store in memory',
  }),
  variable(
    'OBJECTSTORE_ENDPOINT',
    'url',
    '',
    'S3-compatible object store for sealed media, `https://` (http on loopback only).',
  ),
  variable('OBJECTSTORE_BUCKET', 'name', '', 'Bucket name.'),
  variable('OBJECTSTORE_ACCESS_KEY_ID', 'text', '', 'Access key id.'),
  variable('OBJECTSTORE_SECRET_ACCESS_KEY', 'text', '', 'Secret access key.', { secret: true }),
  variable('OBJECTSTORE_REGION', 'name', 'us-east-1', 'Region.'),
  variable('OBJECTSTORE_USE_SSL', 'none', '', 'Refused: use the scheme of OBJECTSTORE_ENDPOINT.'),
  variable(
    'PLATFORM_ENVELOPE_KEK',
    'base64',
    '',
    'Key-encryption key of sealed media, exactly 32 bytes; required if media persist. Keep it in escrow: without it they are lost.',
    { secret: true, otherwise: 'generated for a store in memory' },
  ),
  variable(
    'AUTH_JWT_SECRET',
    'text',
    '',
    'Signs sessions and media URLs, at least 32 bytes; backends on one database must share it.',
    { secret: true, otherwise: 'generated at each start' },
  ),
  variable(
    'OIDC_ISSUER',
    'url',
    'https://accounts.google.com',
    'Identity provider whose ID tokens are exchanged for sessions.',
  ),
  variable(
    'OIDC_CLIENT_ID',
    'text',
    '',
    'Required audience of ID tokens; enables that sign-in and is the `google_client_id` of `/auth/config`.',
  ),
  variable(
    'AUTH_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider, comma-separated; set and empty admits nobody.',
    { otherwise: 'anyone with a verified address' },
  ),
  variable('ADMIN_EMAIL', 'email', '', 'Password user; needs ADMIN_PASSWORD.'),
  variable('ADMIN_PASSWORD', 'text', '', 'Password of that user; enables password sign-in.', {
    secret: true,
  }),
  variable(
    'INFERENCE_REMOTE_URL',
    'url',
    '',
    'OpenAI-compatible endpoint; `model_ready` in `/health` says whether it lists a model.',
  ),
  variable(
    'CALLING_AGENT_URL',
    'url',
    '',
    'Where `/voice/webrtc/offer` forwards offers; unset answers 503 there.',
  ),
  variable(
    'SPEECH_TO_TEXT_URL',
    'url',
    '',
    'OpenAI-compatible transcription endpoint of `/voice/transcribe`; unset answers 503 there.',
  ),
  variable('SPEECH_TO_TEXT_API_KEY', 'text', '', 'Its bearer token.', { secret: true }),
  variable('SPEECH_TO_TEXT_MODEL', 'name', '', 'Model to request.'),
  variable(
    'TWILIO_AUTH_TOKEN',
    'text',
    '',
    'Verifies signatures on `/twilio/message`; unset answers 503 there.',
    { secret: true },
  ),
  variable('TWILIO_ACCOUNT_SID', 'AC and 32 hex digits', '', 'Required account of messages.', {
    otherwise: 'any account',
  }),
] as const;

/** The environment as the campaign backend looks at it. */
export type Environment = EnvironmentOf<typeof campaignVariables>;
export const { filled, orDefault } = variableReader(campaignVariables);
