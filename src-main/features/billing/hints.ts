import type { Kysely, Transaction } from 'kysely';
import type { PaymentHint, PaymentObjectKind } from '../../sources/payments/index.ts';
import type { BillingTables } from './store.ts';

export type PaymentObject = { readonly kind: PaymentObjectKind; readonly id: string };

/**
 * Stores events and marks what they are about to be fetched, in one transaction: an event that was answered is never
 * forgotten, and one that comes again does nothing. Returns the objects to fetch and which events were new.
 */
export async function takeHints(
  db: Kysely<BillingTables>,
  hints: readonly PaymentHint[],
  at: number,
): Promise<{ readonly objects: PaymentObject[]; readonly fresh: ReadonlySet<string> }> {
  const unique = [...new Map(hints.map((hint) => [hint.id, hint])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  if (unique.length === 0) return { objects: [], fresh: new Set() };
  return db.transaction().execute(async (tx) => {
    const stored = await tx
      .insertInto('billing_events')
      .values(unique.map(({ id, type, createdAt }) => ({ id, type, created_at: createdAt, received_at: at })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute();
    const fresh = new Set(stored.map(({ id }) => id));
    const objects = await wantObjects(
      tx,
      unique.flatMap(({ id, object }) => (fresh.has(id) && object !== undefined ? [object] : [])),
    );
    return { objects, fresh };
  });
}

/** Marks objects to be fetched, whatever was fetched of them before. Returns each once. */
export async function wantObjects(
  tx: Transaction<BillingTables>,
  objects: readonly PaymentObject[],
): Promise<PaymentObject[]> {
  const unique = [...new Map(objects.map((object) => [`${object.kind} ${object.id}`, object])).entries()]
    // One order for everybody, so that two that mark the same rows never wait for each other.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, object]) => object);
  if (unique.length === 0) return [];
  await tx
    .insertInto('billing_objects')
    .values(
      unique.map(({ kind, id }) => ({
        kind,
        id,
        wanted: 1,
        synced: 0,
        attempts: 0,
        not_before: 0,
        claim: null,
        claimed_until: 0,
        failure: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'id'])
        .doUpdateSet((eb) => ({ wanted: eb('billing_objects.wanted', '+', 1), not_before: 0 })),
    )
    .execute();
  return unique;
}
