import { type AccessTables, accessMigrations } from '../features/access/index.ts';
import { type AgentTables, agentMigrations } from '../features/agents/index.ts';
import { type AuditTables, auditMigrations } from '../features/audit/index.ts';
import { type DeliveryTables, deliveryMigrations } from '../features/delivery/index.ts';
import { type ProfileTables, profileMigrations } from '../features/profile/index.ts';
import { type SettingsTables, settingsMigrations } from '../features/settings/index.ts';
import { type SignInTables, signInMigrations } from '../features/sign-in/index.ts';
import { type TargetTables, targetMigrations } from '../features/targets/index.ts';
import type { Migrations } from '../store/index.ts';

/** Every table the console keeps. */
export type ConsoleTables = SignInTables &
  ProfileTables &
  AccessTables &
  AuditTables &
  SettingsTables &
  AgentTables &
  DeliveryTables &
  TargetTables;

/** Every migration of the console's store. */
export const consoleMigrations: Migrations = {
  ...signInMigrations,
  ...profileMigrations,
  ...accessMigrations,
  ...auditMigrations,
  ...settingsMigrations,
  ...agentMigrations,
  ...deliveryMigrations,
  ...targetMigrations,
};
