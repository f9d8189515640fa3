import { type EnvironmentOf, variable, variableReader } from '../serving/index.ts';

/** Every variable the campaign backend reads; its part of docs/backends.md is written from this table. */
export const campaignVariables = [
  variable(
    'CAMPAIGN_STORE',
    'file | postgres url',
    ':memory:',
    'SQLite file, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for several backends on one store; in memory everything is gone with the process.',
    { secret: true },
  ),
  variable(
    'CAMPAIGN_PUBLIC_BASE_URL',
    'url',
    '',
    'How this backend is reached from outside; the podcast feed and the signature of incoming messages need it, and https makes the session cookie `Secure`.',
  ),
  variable(
    'CAMPAIGN_PODCAST_IMAGE_URL',
    'url',
    '',
    "Cover of the podcast, `<itunes:image>` of its feed: JPEG or PNG, 1,400 to 3,000 pixels a side; Apple's directory takes no podcast without one.",
  ),
  variable(
    'CAMPAIGN_WEB_DIR',
    'folder',
    '',
    'Folder of the built web app, 64 MB at most; unset answers 404 for what is no route.',
  ),
  variable('CAMPAIGN_MEDIA_DIR', 'folder', '', 'Where sealed media are kept; not beside an object store.', {
    otherwise: '`media` beside the store; a passing folder for a store in memory',
  }),
  variable(
    'OBJECTSTORE_ENDPOINT',
    'url',
    '',
    'S3-compatible object store to keep sealed media in, `https://` (http on loopback alone).',
  ),
  variable('OBJECTSTORE_BUCKET', 'name', '', 'Its bucket.'),
  variable('OBJECTSTORE_ACCESS_KEY_ID', 'text', '', 'Its access key id.'),
  variable('OBJECTSTORE_SECRET_ACCESS_KEY', 'text', '', 'Its secret access key.', { secret: true }),
  variable('OBJECTSTORE_REGION', 'name', 'us-east-1', 'Its region.'),
  variable('OBJECTSTORE_USE_SSL', 'none', '', 'Refused: the scheme of OBJECTSTORE_ENDPOINT says it.'),
  variable(
    'PLATFORM_ENVELOPE_KEK',
    'base64',
    '',
    'Key-encryption key of sealed media, exactly 32 bytes; needed wherever media last. Keep it in escrow: without it they are lost.',
    { secret: true, otherwise: 'a new one for a store in memory' },
  ),
  variable(
    'AUTH_JWT_SECRET',
    'text',
    '',
    'Signs sessions and addresses of media, at least 32 bytes; backends on one database must share it.',
    { secret: true, otherwise: 'a new one each start' },
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
    'Client id that ID tokens must be for; turns that sign-in on and is the `google_client_id` of `/auth/config`.',
  ),
  variable(
    'AUTH_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider, commas between; set and empty admits nobody.',
    { otherwise: 'everybody with a verified address' },
  ),
  variable('ADMIN_EMAIL', 'email', '', 'Person of the password sign-in; needs ADMIN_PASSWORD.'),
  variable('ADMIN_PASSWORD', 'text', '', 'Password of that person; turns password sign-in on.', {
    secret: true,
  }),
  variable(
    'INFERENCE_REMOTE_URL',
    'url',
    '',
    'OpenAI-compatible endpoint; `model_ready` of `/health` says whether it lists a model.',
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
  variable('SPEECH_TO_TEXT_API_KEY', 'text', '', 'Bearer token for it.', { secret: true }),
  variable('SPEECH_TO_TEXT_MODEL', 'name', '', 'Model to ask it for.'),
  variable(
    'TWILIO_AUTH_TOKEN',
    'text',
    '',
    'Checks the signature of `/twilio/message`; unset answers 503 there.',
    { secret: true },
  ),
  variable('TWILIO_ACCOUNT_SID', 'AC and 32 hex digits', '', 'Account that messages must be of.', {
    otherwise: 'any account',
  }),
] as const;

/** The environment as the campaign backend looks at it. */
export type Environment = EnvironmentOf<typeof campaignVariables>;
export const { filled, orDefault } = variableReader(campaignVariables);
