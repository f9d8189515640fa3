import { type AuditFilter, auditFilter } from '#shared/api/audit.ts';
import { createAddressFilter } from '../../components/list/address-filter.ts';
import type { ListPlan } from '../../components/list/list-address.ts';

/** How the audit trail's list is kept in the address. */
export const auditPlan: ListPlan<AuditFilter> = {
  tab: 'audit',
  filter: createAddressFilter(auditFilter),
  openPart: 'record',
};

/** The number of the record that the address opens; undefined when it names none. */
export const recordNumber = (record: string | undefined): number | undefined =>
  record !== undefined && /^[1-9]\d{0,14}$/.test(record) ? Number(record) : undefined;
