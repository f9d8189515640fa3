export { profileService } from './rpc.ts';
export { type ProfileTables, profileMigrations } from './store.ts';
