import { type AccessTables, accessMigrations } from '../features/access/index.ts';
import { type ActTables, actMigrations } from '../features/acts/index.ts';
import { type AgentTables, agentMigrations } from '../features/agents/index.ts';
import { type AskTables, askMigrations } from '../features/ask/index.ts';
import { type AuditTables, auditMigrations } from '../features/audit/index.ts';
import { type BillingTables, billingMigrations } from '../features/billing/index.ts';
import { type CapexTables, capexMigrations } from '../features/capex/index.ts';
import { type ChatTables, chatMigrations } from '../features/chat/index.ts';
import { type DataGovernanceTables, dataGovernanceMigrations } from '../features/data-governance/index.ts';
import { type DataLineageTables, dataLineageMigrations } from '../features/data-lineage/index.ts';
import { type DataSourceTables, dataSourceMigrations } from '../features/data-sources/index.ts';
import { type DeliveryTables, deliveryMigrations } from '../features/delivery/index.ts';
import { type ForwardTables, forwardMigrations } from '../features/forwards/index.ts';
import { type GuardrailTables, guardrailMigrations } from '../features/guardrails/index.ts';
import { type HarnessTables, harnessMigrations } from '../features/intelligence/index.ts';
import { type JudgementTables, judgementMigrations } from '../features/judgement/index.ts';
import { type PlaybookTables, playbookMigrations } from '../features/playbooks/index.ts';
import { type ProfileTables, profileMigrations } from '../features/profile/index.ts';
import { type RulesReconTables, rulesReconMigrations } from '../features/rules-recon/index.ts';
import { type SettingsTables, settingsMigrations } from '../features/settings/index.ts';
import { type SignInTables, signInMigrations } from '../features/sign-in/index.ts';
import { type TargetTables, targetMigrations } from '../features/targets/index.ts';
import { type WorkspaceTables, workspaceMigrations } from '../features/workspace/index.ts';
import type { Migrations } from '../store/index.ts';

/** Every table the console keeps. */
export type ConsoleTables = SignInTables &
  ProfileTables &
  AccessTables &
  AuditTables &
  SettingsTables &
  AgentTables &
  BillingTables &
  CapexTables &
  WorkspaceTables &
  DataSourceTables &
  DataGovernanceTables &
  DataLineageTables &
  JudgementTables &
  RulesReconTables &
  GuardrailTables &
  ForwardTables &
  ActTables &
  ChatTables &
  HarnessTables &
  PlaybookTables &
  AskTables &
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
  ...dataSourceMigrations,
  ...dataLineageMigrations,
  ...dataGovernanceMigrations,
  ...judgementMigrations,
  ...rulesReconMigrations,
  ...guardrailMigrations,
  ...forwardMigrations,
  ...actMigrations,
  ...chatMigrations,
  ...askMigrations,
  ...billingMigrations,
  ...harnessMigrations,
  ...capexMigrations,
  ...workspaceMigrations,
  ...playbookMigrations,
};
