import { isAbsolute } from 'node:path';
import { readEnvelopeKey } from '../../sealed/index.ts';
import { StartupRefused } from '../../serving/index.ts';
import { type Environment, filled, orDefault } from '../variables.ts';

/** The location of the appfs root: a folder that the pods share, or a bucket. */
export type AppfsLocation =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3';
      /** Begins with `https://`. */
      readonly endpoint: string;
      readonly bucket: string;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

/** PLATFORM_ENVELOPE_KEK, 32 bytes. Throws `StartupRefused` in the words of BCK-066 and BCK-067. */
export function readAtRestKey(env: Environment): Buffer {
  const text = filled(env, 'PLATFORM_ENVELOPE_KEK');
  if (text === undefined)
    throw new StartupRefused(
      'appfs root: at-rest key unavailable: PLATFORM_ENVELOPE_KEK did not resolve. Restore the original from escrow if data exists; never generate a new one over existing data.',
    );
  return readEnvelopeKey(text);
}

/**
 * OBJECTSTORE_ENDPOINT with its bucket, or APPFS_ROOT. Throws `StartupRefused` when neither is set, when the object store would be
 * spoken to in cleartext, and for OBJECTSTORE_USE_SSL, which is gone.
 */
export function readAppfsLocation(env: Environment): AppfsLocation {
  // Set to anything, even to nothing: whoever set it thinks that it decides about encryption.
  if (env.OBJECTSTORE_USE_SSL !== undefined)
    throw new StartupRefused(
      'OBJECTSTORE_USE_SSL is set: remove it and put the scheme in OBJECTSTORE_ENDPOINT, which must begin with https://.',
    );
  const endpoint = filled(env, 'OBJECTSTORE_ENDPOINT');
  const folder = filled(env, 'APPFS_ROOT');
  if (endpoint === undefined) {
    if (folder === undefined)
      throw new StartupRefused(
        'appfs root could not be mounted: neither OBJECTSTORE_ENDPOINT nor APPFS_ROOT says where it is. Set one of them.',
      );
    if (!isAbsolute(folder))
      throw new StartupRefused('appfs root could not be mounted: APPFS_ROOT must be an absolute path.');
    return { kind: 'folder', folder };
  }
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:')
    throw new StartupRefused(
      'appfs root could not be mounted, object store unavailable: cleartext object-store traffic is refused, so OBJECTSTORE_ENDPOINT must begin with https://.',
    );
  const bucket = filled(env, 'OBJECTSTORE_BUCKET');
  if (bucket === undefined)
    throw new StartupRefused(
      'appfs root could not be mounted, object store unavailable: OBJECTSTORE_BUCKET does not name a bucket.',
    );
  const accessKeyId = filled(env, 'OBJECTSTORE_ACCESS_KEY_ID');
  const secretAccessKey = filled(env, 'OBJECTSTORE_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StartupRefused(
      'appfs root could not be mounted, object store unavailable: OBJECTSTORE_ACCESS_KEY_ID and OBJECTSTORE_SECRET_ACCESS_KEY must both be set.',
    );
  return {
    kind: 's3',
    endpoint: endpoint.replace(/\/+$/, ''),
    bucket,
    region: orDefault(env, 'OBJECTSTORE_REGION'),
    accessKeyId,
    secretAccessKey,
  };
}
