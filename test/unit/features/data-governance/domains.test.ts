import { describe, expect, it } from 'vitest';
import { domainsOf } from '../../../../src-main/features/data-governance/domains.ts';

const connection = (name: string, tenant = 'acme', type = 'postgres') => ({
  id: `${tenant}/${name}`,
  name,
  tenant,
  type,
});

describe('data domains (CON-131)', () => {
  const all = [
    connection('orders-db'),
    connection('OrdersArchive', 'acme', 's3'),
    connection('prod_orders_replica', 'birch'),
    connection('crm', 'acme', 'salesforce'),
    connection('prod-db', 'acme'),
    connection('events', 'cedar', 'http'),
    connection('mails', 'aspen', 'http'),
  ];

  it('join what shares a part of its name, then a tenant, then a type, and say why', () => {
    expect(
      domainsOf(all).map(({ name, by, connections }) => [name, by, connections.map((each) => each.name)]),
    ).toEqual([
      ['orders', 'naming', ['OrdersArchive', 'orders-db', 'prod_orders_replica']],
      ['acme', 'tenant', ['crm', 'prod-db']],
      ['http', 'type', ['events', 'mails']],
    ]);
    const [orders] = domainsOf(all);
    expect(orders).toMatchObject({ tenants: ['acme', 'birch'], types: ['postgres', 's3'] });
    expect(orders?.evidence[1]).toBe('orders-db: "orders" is a part of its name.');
  });

  it('hold every connection exactly once, and are the same in any order', () => {
    const domains = domainsOf(all);
    expect(
      domains
        .flatMap(({ connections }) => connections)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(all.map(({ id }) => id).sort());
    expect(domainsOf([...all].reverse())).toEqual(domains);
  });

  it('are none where nothing is registered', () => {
    expect(domainsOf([])).toEqual([]);
  });
});
