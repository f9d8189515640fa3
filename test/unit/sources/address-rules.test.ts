import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { forbiddenEndpoints } from '../../../src-main/features/data-sources/status/own-endpoints.ts';
import {
  type AddressRules,
  judgeAddress,
  judgeHost,
  parseNetwork,
  probeService,
} from '../../../src-main/sources/service-probe/index.ts';
import { probeNetwork } from '../../support/probe-network.ts';

/** Hosts that somebody may write, with what a resolver makes of them. None may be dialled. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  // Loopback, in every form.
  localhost: ['127.0.0.1'],
  'localhost.': ['::1', '127.0.0.1'],
  '127.0.0.1': ['127.0.0.1'],
  '127.1.2.3': ['127.1.2.3'],
  '127.1': ['127.0.0.1'],
  '127.0.1': ['127.0.0.1'],
  '2130706433': ['127.0.0.1'],
  '0x7f000001': ['127.0.0.1'],
  '0x7f.0.0.1': ['127.0.0.1'],
  '0x7f.1': ['127.0.0.1'],
  '0177.0.0.1': ['127.0.0.1'],
  '0177.0.0.01': ['127.0.0.1'],
  '017700000001': ['127.0.0.1'],
  '127.0.0.1.': ['127.0.0.1'],
  '::1': ['::1'],
  '0:0:0:0:0:0:0:1': ['::1'],
  '::ffff:127.0.0.1': ['::ffff:127.0.0.1'],
  '::ffff:7f00:1': ['::ffff:7f00:1'],
  '0:0:0:0:0:ffff:7f00:0001': ['::ffff:7f00:1'],
  '::127.0.0.1': ['::7f00:1'],
  '64:ff9b::7f00:1': ['64:ff9b::7f00:1'],
  '64:ff9b:1::7f00:1': ['64:ff9b:1::7f00:1'],
  '2002:7f00:1::': ['2002:7f00:1::'],
  '2001:0:7f00:1::': ['2001:0:7f00:1::'],
  'loop.rebind.example': ['127.0.0.1'],
  // Unspecified and broadcast.
  '0.0.0.0': ['0.0.0.0'],
  '0.1.2.3': ['0.1.2.3'],
  '0': ['0.0.0.0'],
  '::': ['::'],
  '::ffff:0.0.0.0': ['::ffff:0.0.0.0'],
  '255.255.255.255': ['255.255.255.255'],
  // Metadata services, and the link they are on.
  '169.254.169.254': ['169.254.169.254'],
  '2852039166': ['169.254.169.254'],
  '0xa9fea9fe': ['169.254.169.254'],
  '0251.0376.0251.0376': ['169.254.169.254'],
  '169.254.43518': ['169.254.169.254'],
  '169.254.170.2': ['169.254.170.2'],
  '::ffff:169.254.169.254': ['::ffff:169.254.169.254'],
  '::ffff:a9fe:a9fe': ['::ffff:a9fe:a9fe'],
  '64:ff9b::a9fe:a9fe': ['64:ff9b::a9fe:a9fe'],
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.azure.example': ['168.63.129.16'],
  'metadata.alibaba.example': ['100.100.100.200'],
  'metadata.oracle.example': ['192.0.0.192'],
  'fd00:ec2::254': ['fd00:ec2::254'],
  'fd20:ce::254': ['fd20:ce::254'],
  'fe80::1': ['fe80::1'],
  'fe80::1%eth0': ['fe80::1%eth0'],
  // Private and special-purpose networks that nobody named.
  '10.0.0.1': ['10.0.0.1'],
  '10.1': ['10.0.0.1'],
  '172.16.0.1': ['172.16.0.1'],
  '172.31.255.254': ['172.31.255.254'],
  '192.168.1.1': ['192.168.1.1'],
  '3232235777': ['192.168.1.1'],
  '100.64.0.1': ['100.64.0.1'],
  '198.18.0.1': ['198.18.0.1'],
  '192.0.2.1': ['192.0.2.1'],
  '240.0.0.1': ['240.0.0.1'],
  'fd12:3456::1': ['fd12:3456::1'],
  'fec0::1': ['fec0::1'],
  '2001:db8::1': ['2001:db8::1'],
  '4000::1': ['4000::1'],
  '::ffff:10.0.0.1': ['::ffff:10.0.0.1'],
  'kubernetes.default.svc': ['10.96.0.1'],
  // Multicast.
  '224.0.0.1': ['224.0.0.1'],
  'ff02::1': ['ff02::1'],
  // A public address beside one that is not: which one would be dialled is anyone's guess.
  'both.rebind.example': ['20.30.40.50', '127.0.0.1'],
  'mixed.rebind.example': ['2600:1f18::1', '::ffff:10.0.0.1'],
  // The console's own port, and the studio.
  'console.northgate.example': ['20.30.40.60'],
  '20.30.40.60': ['20.30.40.60'],
  '::ffff:20.30.40.60': ['::ffff:20.30.40.60'],
  'studio.northgate.example': ['20.30.40.70'],
};

const rules: AddressRules = {
  privateNetworks: [],
  forbidden: [
    { address: '20.30.40.60', port: 5432, label: 'the console itself' },
    { address: '20.30.40.70', port: 5432, label: 'the studio' },
  ],
};

const probe = async (host: string, network = probeNetwork({ names: hosts }), given = rules) => {
  const refusals: string[] = [];
  const result = await probeService(
    {
      host,
      port: 5432,
      tls: 'none',
      tlsMode: 'disable',
      ca: undefined,
      protocol: 'http',
      hello: {},
    },
    {
      network,
      rules: given,
      signal: new AbortController().signal,
      recordDial: (_address, connect) => connect(),
      recordRefusal: async (reason) => void refusals.push(reason),
    },
  );
  return { result, refusals, network };
};

describe('addresses that a refresh never dials (CON-121)', () => {
  it(`are ${Object.keys(hosts).length}, sixty at least`, () => {
    expect(Object.keys(hosts).length).toBeGreaterThanOrEqual(60);
  });

  for (const host of Object.keys(hosts)) {
    it(`refuses ${host}, says why, and records it`, async () => {
      const { result, refusals, network } = await probe(host);
      expect(network.dialled).toEqual([]);
      expect(result).toMatchObject({ outcome: 'refused', failedStep: 'address', address: undefined });
      expect(result.detail).toMatch(/^Not dialled: /);
      expect(refusals).toEqual([result.detail]);
    });
  }

  it('refuses a name whose second answer is another: it is looked up once, and that address is dialled', async () => {
    let asked = 0;
    const network = probeNetwork({
      names: {
        'turn.rebind.example': () => {
          asked += 1;
          return asked === 1 ? ['20.30.40.50'] : ['127.0.0.1'];
        },
      },
    });
    const { result } = await probe('turn.rebind.example', network);
    expect([asked, network.dialled]).toEqual([1, ['20.30.40.50:5432']]);
    expect(result.failedStep).toBe('tcp');
  });

  it('opens a private network that is named, and never what no network opens', async () => {
    const named = {
      ...rules,
      privateNetworks: ['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0', '::/0'].map(parseNetwork),
    };
    for (const address of ['10.0.0.1', 'fd12:3456::1', '192.168.1.1'])
      expect(judgeAddress(address, 5432, named)).toBeUndefined();
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      'fd00:ec2::254',
      '100.100.100.200',
      'fe80::1',
      '0.0.0.0',
      '224.0.0.1',
      '2002:7f00:1::',
      '64:ff9b::a00:1',
      '20.30.40.60',
    ])
      expect(judgeAddress(address, 5432, named)).toBeTypeOf('string');
    expect(judgeAddress('20.30.40.60', 443, named)).toBeUndefined();
    const narrow = { ...rules, privateNetworks: [parseNetwork('10.1.0.0/16'), parseNetwork('192.168.7.7')] };
    expect(judgeAddress('10.1.2.3', 5432, narrow)).toBeUndefined();
    expect(judgeAddress('::ffff:10.1.2.3', 5432, narrow)).toBeUndefined();
    expect(judgeAddress('192.168.7.7', 5432, narrow)).toBeUndefined();
    expect(judgeAddress('10.2.0.1', 5432, narrow)).toContain('CONSOLE_CONNECTION_PRIVATE_NETWORKS');
    expect(judgeAddress('192.168.7.8', 5432, narrow)).toContain('CONSOLE_CONNECTION_PRIVATE_NETWORKS');
  });

  it('knows the console at every address of a machine where it listens on all of them', async () => {
    const network = probeNetwork({ names: { 'studio.northgate.example': ['20.30.40.70', '2600::70'] } });
    const own = await forbiddenEndpoints(
      [
        { host: '0.0.0.0', port: 8700, label: 'the console itself' },
        { host: 'studio.northgate.example', port: 8080, label: 'the studio' },
        { host: 'gone.northgate.example', port: 8080, label: 'the studio' },
      ],
      network,
    );
    expect(own).toContainEqual({ address: '127.0.0.1', port: 8700, label: 'the console itself' });
    const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
      list.map(({ address }) => address),
    );
    expect(own.filter(({ port }) => port === 8700)).toHaveLength(addresses.length);
    expect(own.filter(({ port }) => port === 8080).map(({ address }) => address)).toEqual([
      '20.30.40.70',
      '2600::70',
    ]);
  });

  it('dials public addresses, and takes names with digits in them for names', () => {
    for (const address of ['20.30.40.50', '2600:1f18::1', '::ffff:20.30.40.50'])
      expect(judgeAddress(address, 5432, rules)).toBeUndefined();
    for (const host of ['db1', 'db-1.northgate.example', '1password.example', '0xdb.example', 'x7f'])
      expect(judgeHost(host)).toBeUndefined();
  });
});
