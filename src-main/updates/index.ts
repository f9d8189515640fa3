export { downloadUpdate } from './download.ts';
export { bucketOf, type Feed, feedSchema, findUpdate, type Update } from './feed.ts';
export { type InstallationKind, installationKind } from './installation-kind.ts';
export {
  type Manifest,
  manifestName,
  product,
  publicKeyOf,
  readManifest,
  signatureName,
  signManifest,
} from './manifest.ts';
export { managedPolicyFile, readUpdatePolicy, type UpdatePolicy } from './policy.ts';
export { type ReplacedVersion, replacedVersion } from './replaced-version.ts';
export { compareVersions, isVersion } from './version.ts';
