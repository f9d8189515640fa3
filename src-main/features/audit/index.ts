export { circumstancesOf } from './circumstances.ts';
export { type Act, type Audit, type AuditEvent, audited } from './events.ts';
export { auditHandlers } from './routes.ts';
export { type AuditTables, auditMigrations } from './store.ts';
export {
  type AuditTrail,
  type ChainHead,
  createAuditTrail,
  type HeadKeeper,
} from './trail.ts';
