import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { ConsoleError } from '#shared/errors.ts';
import type { Asset, CapexService } from '#shared/gen/platform/v1/capex_pb.js';
import { resources } from '../../cluster-model/index.ts';
import { pageOf } from '../../grpc/page-of.ts';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { type AssetContent, type Assets, nodesOf, pricedAssets } from './assets.ts';
import { depreciationOf } from './depreciation.ts';
import { nodeCosts } from './node-costs.ts';
import type { AssetRow } from './store.ts';

type Parts = {
  readonly assets: Assets;
  readonly targetOf: OpenTargetOf;
  readonly gate: RpcGate;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

const mayChange = { allowlist: 'CONSOLE_SESSION_ADMINS' } as const;

/** platform.v1.CapexService: what machines cost. */
export function capexService({ assets, targetOf, gate, now }: Parts): ServiceImpl<typeof CapexService> {
  const message = (row: AssetRow) => toMessage(row, now());
  return {
    listAssets: (request, context) =>
      gate.read(context, async () => {
        const { items, nextPageToken } = pageOf(await assets.list(), request);
        return { assets: items.map(message), nextPageToken };
      }),

    createAsset: ({ asset }, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'capex.create', target: asset?.name ?? '' },
        async ({ caller }) => {
          if (asset === undefined) throw new ConsoleError('BadInput', 'asset is missing.');
          return { asset: message(await assets.create(contentOf(asset), caller.email ?? '')) };
        },
      ),

    updateAsset: ({ asset, updateMask }, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'capex.change', target: asset?.id ?? '' },
        async ({ caller }) => {
          if (asset === undefined) throw new ConsoleError('BadInput', 'asset is missing: give its id.');
          const change = masked(contentOf(asset), updateMask?.paths ?? []);
          const row = await assets.update(asset.id, Number(asset.revision), change, caller.email ?? '');
          return { asset: message(row) };
        },
      ),

    deleteAsset: ({ id }, context) =>
      gate.write(context, { ...mayChange, action: 'capex.delete', target: id }, async () => {
        await assets.remove(id);
        return {};
      }),

    listNodeCosts: ({ target, ...request }, context) =>
      gate.read(context, async ({ caller }) => {
        const { cluster } = await targetOf(target === '' ? undefined : target, caller);
        const [listing, rows] = await Promise.all([cluster.list(resources.nodes), assets.list()]);
        const names = listing.items.map(({ metadata }) => metadata.name).sort();
        const costs = nodeCosts(pricedAssets(rows), names, now());
        const known = new Set(costs.map(({ node }) => node));
        const { items, nextPageToken } = pageOf(costs, request);
        return {
          nextPageToken,
          nodes: items.map(({ perHour, assets: from, ...cost }) => ({
            ...cost,
            perHourMilliMinor: BigInt(Math.round(perHour * 1000)),
            assets: [...from],
          })),
          complete: listing.state === 'read',
          unmeasured: [...listing.gaps],
          withoutPrice: names.filter((name) => !known.has(name)),
        };
      }),
  };
}

const contentOf = (asset: Asset): AssetContent => ({
  name: asset.name,
  currency: asset.currency,
  price_minor: Number(asset.priceMinor),
  residual_minor: Number(asset.residualMinor),
  in_service_on: asset.inServiceOn,
  lifetime_months: asset.lifetimeMonths,
  nodes: [...asset.nodes],
});

/** The fields a mask names. Throws `BadInput` for one that is none, and for an empty mask. */
function masked(content: AssetContent, paths: readonly string[]): Partial<AssetContent> {
  const fields = Object.keys(content);
  const unknown = paths.find((path) => !fields.includes(path));
  if (paths.length === 0 || unknown !== undefined)
    throw new ConsoleError(
      'BadInput',
      `update_mask names ${unknown ?? 'no field'}: give some of ${fields.join(', ')}.`,
    );
  return Object.fromEntries(Object.entries(content).filter(([field]) => paths.includes(field)));
}

function toMessage(row: AssetRow, at: number) {
  const { accumulated, bookValue, perMonth, endsOn } = depreciationOf(row, at);
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    priceMinor: BigInt(row.price),
    residualMinor: BigInt(row.residual),
    inServiceOn: row.in_service_on,
    lifetimeMonths: row.lifetime_months,
    nodes: nodesOf(row),
    revision: BigInt(row.revision),
    updatedBy: row.updated_by,
    updatedAt: timestampFromMs(row.updated_at),
    depreciation: {
      asOf: timestampFromMs(at),
      accumulatedMinor: BigInt(accumulated),
      bookValueMinor: BigInt(bookValue),
      perMonthMinor: BigInt(perMonth),
      endsOn,
    },
  };
}
