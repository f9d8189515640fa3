import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import type { PricedAsset } from './node-costs.ts';
import type { AssetRow, CapexTables } from './store.ts';

const day = z.iso.date('must be a day as YYYY-MM-DD');
const money = z
  .number()
  .int()
  .nonnegative()
  .max(1e15, 'must be at most 1,000,000,000,000,000 of the smallest unit');

/** The fields of an asset that a person sets. */
export const assetContent = z
  .object({
    name: z
      .string()
      .trim()
      .regex(/^[^\p{Cc}]{1,120}$/u, 'must be 1 to 120 characters'),
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as EUR'),
    price_minor: money,
    residual_minor: money,
    in_service_on: day,
    lifetime_months: z.number().int().min(1).max(600),
    nodes: z
      .array(
        z
          .string()
          .regex(
            /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\*?$|^[a-z0-9][a-z0-9.-]{0,251}\*$/,
            'must be the name of a node, or its beginning and *',
          ),
      )
      .max(200),
  })
  .refine(({ price_minor, residual_minor }) => residual_minor <= price_minor, {
    path: ['residual_minor'],
    message: 'must not be more than the price',
  });
export type AssetContent = z.infer<typeof assetContent>;

/** The register of assets. */
export type Assets = {
  list(): Promise<AssetRow[]>;
  /** Throws `Conflict` for a name that is taken, `TooManyRequests` when there are too many. */
  create(content: AssetContent, by: string): Promise<AssetRow>;
  /** Changes the named fields. Throws `NotFound`, `BadInput`, and `Conflict` for an older revision (0 is any). */
  update(id: string, revision: number, change: Partial<AssetContent>, by: string): Promise<AssetRow>;
  /** Throws `NotFound`. */
  remove(id: string): Promise<void>;
};

const mostAssets = 2_000;

/** Returns assets as nodes are priced by them. */
export function pricedAssets(rows: readonly AssetRow[]): PricedAsset[] {
  return rows.map((row) => ({ ...row, nodes: nodesOf(row) }));
}

/** `now` in epoch ms. */
export function createAssets(db: Kysely<CapexTables>, now: () => number): Assets {
  const unknown = (): ConsoleError => new ConsoleError('NotFound', 'No asset has this ID: reload the list.');
  const list = () => db.selectFrom('capex_assets').selectAll().orderBy('name').execute();

  return {
    list,

    async create(content, by) {
      const row: AssetRow = {
        id: randomUUID(),
        ...columnsOf(checkedContent(content)),
        revision: 1,
        updated_by: by,
        updated_at: now(),
      };
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('capex_assets')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows !== 1n) throw nameTaken(row.name);
        const { kept } = await transaction
          .selectFrom('capex_assets')
          .select((eb) => eb.fn.countAll().as('kept'))
          .executeTakeFirstOrThrow();
        if (Number(kept) > mostAssets)
          throw new ConsoleError(
            'TooManyRequests',
            `There are ${mostAssets.toLocaleString('en')} assets: join some into one, or delete some.`,
          );
        return row;
      });
    },

    update: (id, revision, change, by) =>
      db.transaction().execute(async (transaction) => {
        const kept = await transaction
          .selectFrom('capex_assets')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        if (kept === undefined) throw unknown();
        if (revision !== 0 && revision !== kept.revision) throw changedMeanwhile(kept.name);
        const content = checkedContent({ ...contentOf(kept), ...change });
        const taken = await transaction
          .selectFrom('capex_assets')
          .select('id')
          .where('name', '=', content.name)
          .where('id', '!=', id)
          .executeTakeFirst();
        if (taken !== undefined) throw nameTaken(content.name);
        const next: AssetRow = {
          id,
          ...columnsOf(content),
          revision: kept.revision + 1,
          updated_by: by,
          updated_at: now(),
        };
        const { numUpdatedRows } = await transaction
          .updateTable('capex_assets')
          .set(next)
          .where('id', '=', id)
          .where('revision', '=', kept.revision)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows !== 1n) throw changedMeanwhile(kept.name);
        return next;
      }),

    async remove(id) {
      const { numDeletedRows } = await db
        .deleteFrom('capex_assets')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw unknown();
    },
  };
}

const nodePatterns = z.array(z.string());

/** The patterns of the nodes an asset pays for. */
export const nodesOf = ({ nodes }: AssetRow): string[] => nodePatterns.parse(JSON.parse(nodes));

const contentOf = (row: AssetRow): AssetContent => ({
  name: row.name,
  currency: row.currency,
  price_minor: row.price,
  residual_minor: row.residual,
  in_service_on: row.in_service_on,
  lifetime_months: row.lifetime_months,
  nodes: nodesOf(row),
});

const columnsOf = (content: AssetContent) => ({
  name: content.name,
  currency: content.currency,
  price: content.price_minor,
  residual: content.residual_minor,
  in_service_on: content.in_service_on,
  lifetime_months: content.lifetime_months,
  nodes: JSON.stringify(content.nodes),
});

function checkedContent(given: AssetContent): AssetContent {
  const read = assetContent.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ConsoleError(
    'BadInput',
    `asset.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
  );
}

const nameTaken = (name: string): ConsoleError =>
  new ConsoleError('Conflict', `There is an asset ${name} already: give this one another name.`);
const changedMeanwhile = (name: string): ConsoleError =>
  new ConsoleError('Conflict', `${name} was changed meanwhile: reload and try again.`);
