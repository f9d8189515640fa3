import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { deployment, namespace, service } from '../cluster/harness.ts';
import { byCheck, diagnosed } from './harness.ts';

// Which hosts in variables are taken for Services, and which are not.

const place = { namespace: 'shop' };
const asking = (value: string, more: object = {}, name = 'DATABASE_URL') =>
  deployment({ name: 'web', ...place, container: { env: [{ name, value }] }, ...more });

describe('a variable that names a host', () => {
  const database = service({ name: 'database', ...place });
  const named = async (value: string, more: object = {}, objects: RawObject[] = [], options = {}) => {
    const run = await diagnosed([namespace('shop'), database, asking(value, more), ...objects], options);
    return byCheck(run, 'environment_service_missing').flatMap(({ evidence }) =>
      evidence.map(({ text }) => text),
    );
  };
  const failing = { ready: 0 };

  it.each<[string, string, object, RegExp]>([
    ['in a namespace that does not exist', 'http://api.shpo.svc/v1', {}, /there is no namespace shpo/],
    [
      'by a port that its Service lacks',
      'database.shop.svc:5433',
      {},
      /database in shop has no port 5433, it has 80/,
    ],
    ['by its short name, while it fails', 'http://databse:80', failing, /no Service databse in shop/],
    ['by name and namespace, while it fails', 'databse.shop:80', failing, /no Service databse in shop/],
    ['in a list', 'http://database:80, http://databse.shop.svc:80', {}, /no Service databse in shop/],
  ])('is told of %s', async (_, value, more, says) => {
    expect((await named(value, more)).join('\n')).toMatch(says);
  });

  it('is told of where it holds the host alone', async () => {
    const texts = async (value: string) =>
      byCheck(
        await diagnosed([namespace('shop'), database, asking(value, failing, 'DB_HOST')]),
        'environment_service_missing',
      ).flatMap(({ evidence }) => evidence.map(({ text }) => text));
    expect(await texts('databse')).toEqual(['DB_HOST names databse: there is no Service databse in shop']);
    expect([...(await texts('database')), ...(await texts('none')), ...(await texts('db.example'))]).toEqual(
      [],
    );
  });

  it('shows no credential of its value', async () => {
    expect((await named('postgres://shop:hunter2@databse.shop.svc/shop')).join('\n')).not.toMatch(
      /hunter2|shop:/,
    );
  });

  it.each<[string, string, object, RawObject[], object]>([
    ['whose Service is there', 'http://database.shop.svc:80/', failing, [], {}],
    ['that is a pod of a Service', 'http://database-0.database.shop.svc:80/', failing, [], {}],
    [
      'of a short name that may be another thing, of a workload that does well',
      'http://proxy:3128',
      {},
      [],
      {},
    ],
    ['of this pod', 'http://localhost:9090', failing, [], {}],
    ['that is an address', '10.43.0.7:5432', failing, [], {}],
    ['that the kubelet fills in', 'http://$(HOST).shop.svc', failing, [], {}],
    [
      'while Services were not read',
      'http://databse.shop.svc',
      failing,
      [],
      { states: { services: { state: 'forbidden', gaps: ['Forbidden: list services.'] } } },
    ],
    [
      'by a port behind a Service without an address of its own',
      'http://members.shop.svc:7000',
      failing,
      [service({ name: 'members', ...place, spec: { clusterIP: 'None' } })],
      {},
    ],
  ])('is passed over when it is one %s', async (_, value, more, objects, options) => {
    expect(await named(value, more, objects, options)).toEqual([]);
  });
});
