import { Code } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import { CapexService } from '../../../../src-shared/gen/platform/v1/capex_pb.js';
import { dialects } from '../../../support/databases.ts';
import { codeOf, rpcClient } from '../../../support/rpc-client.ts';
import { testConsole } from '../../../support/test-console.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const admin = 'admin@example.com';
const rack = {
  name: 'GPU rack',
  currency: 'EUR',
  priceMinor: 1_200_000n,
  residualMinor: 120_000n,
  inServiceOn: '2025-01-01',
  lifetimeMonths: 36,
  nodes: ['gpu-*'],
};

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async () => {
    const { place, remove } = await dialect.place();
    closing.push(remove);
    const console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin }, { place });
    closing.push(() => console_.close());
    const of = async (email: string) =>
      rpcClient(CapexService, console_.url, { cookie: await console_.cookieOf(email) });
    return { console_, ann: await of('ann@example.com'), boss: await of(admin) };
  };
  const acts = async (console_: Awaited<ReturnType<typeof open>>['console_']) =>
    (await console_.store.db.selectFrom('audit_records').select('body').orderBy('seq').execute())
      .map(({ body }) => JSON.parse(body) as { action: string; outcome: string; target: string })
      .filter(({ action }) => action.startsWith('capex.'))
      .map(({ action, outcome, target }) => [action, outcome, target]);

  describe.skipIf(dialect.missing !== undefined)(`CapexService on ${dialect.name}${why} (CON-153)`, () => {
    it('registers what a machine costs, and answers how far it is written off', async () => {
      const { ann, boss } = await open();
      const { asset } = await boss.createAsset({ asset: rack });
      expect(asset).toMatchObject({ ...rack, revision: 1n, updatedBy: admin });
      const { assets } = await ann.listAssets({});
      const [kept] = assets;
      expect(kept?.depreciation?.perMonthMinor).toBe(30_000n);
      expect(kept?.depreciation?.endsOn).toBe('2028-01-01');
      expect((kept?.depreciation?.accumulatedMinor ?? 0n) + (kept?.depreciation?.bookValueMinor ?? 0n)).toBe(
        rack.priceMinor,
      );
    });

    it('is changed by session admins only, and every try leaves a record', async () => {
      const { console_, ann, boss } = await open();
      expect(await codeOf(ann.createAsset({ asset: rack }))).toBe(Code.PermissionDenied);
      await boss.createAsset({ asset: rack });
      expect(await codeOf(boss.createAsset({ asset: rack }))).toBe(Code.Aborted);
      expect(await acts(console_)).toEqual([
        ['capex.create', 'refused', 'GPU rack'],
        ['capex.create', 'success', 'GPU rack'],
        ['capex.create', 'failure', 'GPU rack'],
      ]);
    });

    it('changes the fields of the mask, and refuses what contradicts the rest or an older revision', async () => {
      const { boss } = await open();
      const { asset } = await boss.createAsset({ asset: rack });
      const update = (fields: object, ...paths: string[]) =>
        boss.updateAsset({
          asset: { ...rack, id: asset?.id ?? '', revision: asset?.revision ?? 0n, ...fields },
          updateMask: { paths },
        });
      expect(await codeOf(update({ residualMinor: 2_000_000n }, 'residual_minor'))).toBe(
        Code.InvalidArgument,
      );
      expect(await codeOf(update({ currency: 'euro' }, 'currency'))).toBe(Code.InvalidArgument);
      const { asset: next } = await update({ lifetimeMonths: 48, name: 'ignored' }, 'lifetime_months');
      expect(next).toMatchObject({ name: 'GPU rack', lifetimeMonths: 48, revision: 2n });
      expect(await codeOf(update({ lifetimeMonths: 60 }, 'lifetime_months'))).toBe(Code.Aborted);
      await boss.deleteAsset({ id: asset?.id ?? '' });
      expect((await boss.listAssets({})).assets).toEqual([]);
      expect(await codeOf(boss.deleteAsset({ id: asset?.id ?? '' }))).toBe(Code.NotFound);
    });
  });
}
