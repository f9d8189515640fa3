export { secretFault } from '../../config/secret-values.ts';
export { type Credentials, createCredentials } from './credentials.ts';
export { fileHeadKeeper, keychainHeadKeeper } from './head-keepers.ts';
export { createKeptSecrets, type KeptSecrets } from './kept-secrets.ts';
export { createKeys, isSecretName, type Keys, type LiveKeys, type SecretName, secretNames } from './keys.ts';
export { settingsHandlers } from './routes.ts';
export { createSeal } from './seal.ts';
export { createSettings, filled, type SettingsRoom, type SettingVariable } from './settings.ts';
export { readSettingsFile, settingsFile } from './settings-file.ts';
export { type SettingsTables, settingsMigrations } from './store.ts';
export {
  type AskSecret,
  locateStoreKey,
  moveStoreKey,
  openStoreKey,
  type StoreKey,
  type StoreKeyPlaces,
  type StoreKeySource,
  storeKeyNotice,
  storeKeyOf,
} from './store-key.ts';
