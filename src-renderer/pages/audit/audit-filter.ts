import { type AuditFilter, auditFilter } from '#shared/api/audit.ts';
import type { PageAddress } from '#shared/page-address.ts';
import type { Address } from '../../core/page-address.ts';

/** Parts of the address that narrow the list, in the order of the filter bar. */
const parts = ['q', 'actor', 'action', 'outcome', 'since', 'until'] as const;

export type FilterOfAddress = {
  readonly filter: AuditFilter;
  /** Parts that say nothing this page understands, such as `outcome=good`. They narrow nothing, and the page says so. */
  readonly ignored: readonly string[];
};

/** The filter an address names. */
export function filterOf(address: Address): FilterOfAddress {
  const given = parts.flatMap((part) => {
    const value = address[part];
    return value === null || value === '' ? [] : [[part, value] as const];
  });
  const understood = given.filter(([part, value]) => auditFilter.shape[part].safeParse(value).success);
  return {
    filter: auditFilter.parse(Object.fromEntries(understood)),
    ignored: given.filter((entry) => !understood.includes(entry)).map(([part, value]) => `${part}=${value}`),
  };
}

/** The address of the list under a filter, with a record open on it or none. */
export function auditAddress(filter: AuditFilter, record?: number): PageAddress {
  const narrowing = parts.flatMap((part) => {
    const value = filter[part];
    return value === undefined ? [] : [[part, value] as const];
  });
  return {
    tab: 'audit',
    ...Object.fromEntries(narrowing),
    ...(record !== undefined && { record: String(record) }),
  };
}

/** The filter with one part changed; undefined takes the part off. */
export function changed(
  filter: AuditFilter,
  change: { [Part in keyof AuditFilter]: AuditFilter[Part] | undefined },
): AuditFilter {
  const merged = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined);
  return auditFilter.parse(Object.fromEntries(merged));
}

/** The record the address opens; undefined when it names none. */
export function recordOf(address: Address): number | undefined {
  return address.record !== null && /^[1-9]\d{0,14}$/.test(address.record)
    ? Number(address.record)
    : undefined;
}
