export { isSameAddress, writeBoundSecret } from './bound-secret.ts';
export { fileHeadKeeper, keychainHeadKeeper } from './head-keepers.ts';
export { createKeptSecrets, type KeptIn, type KeptSecrets } from './kept-secrets.ts';
export { createKeys, isSecretName, type Keys, type LiveKeys, secretNames } from './keys.ts';
export { settingsHandlers } from './routes.ts';
export { createSeal } from './seal.ts';
export {
  createSettings,
  filled,
  type LiveSettings,
  type SettingVariable,
} from './settings.ts';
export { readSettingsFile, settingsFile } from './settings-file.ts';
export { type SettingsTables, settingsMigrations } from './store.ts';
export {
  locateStoreKey,
  moveStoreKey,
  openStoreKey,
  type StoreKey,
  type StoreKeyLocations,
  storeKeyNotice,
  storeKeyOf,
} from './store-key.ts';
