import { type AnyRequest, type AnyResponse, readWebFiles, StartupRefused, webApp } from '../serving/index.ts';

/** The app signs in with Google's own script; besides that it loads nothing from elsewhere. */
const signInScript = 'https://accounts.google.com/gsi/';
const headers = {
  'content-security-policy': [
    "default-src 'self'",
    `script-src 'self' ${signInScript}client`,
    `style-src 'self' 'unsafe-inline' ${signInScript}style`,
    `connect-src 'self' ${signInScript}`,
    `frame-src ${signInScript}`,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/**
 * The web app in the folder of `CAMPAIGN_WEB_DIR`, read once, at start; a path without an extension is a page of the app's own. Throws
 * `StartupRefused` for a folder that holds no web app.
 */
export async function campaignWebApp(
  dir: string,
): Promise<(request: AnyRequest, response: AnyResponse) => void> {
  const files = await readWebFiles(dir, 'CAMPAIGN_WEB_DIR');
  if (files.size === 0)
    throw new StartupRefused(
      `CAMPAIGN_WEB_DIR is ${dir}, which has no index.html: name the folder of the built web app.`,
    );
  return webApp(files, { headers, ownPaths: true, name: 'The web app' });
}
