import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { probeTargetOf } from '../../../src-main/features/data-sources/catalogue/endpoint.ts';
import { readConnectors } from '../../../src-main/features/data-sources/catalogue/read-connectors.ts';
import { type ProbeTarget, probeService } from '../../../src-main/sources/service-probe/index.ts';
import { probeNetwork } from '../../support/probe-network.ts';
import { inputCountText, sweepInputs } from '../../support/sweeps.ts';

/** Networks of IPv4 that no refresh dials, as first address and bits. */
const networks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
];

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

const forbiddenIPv4 = fc
  .tuple(fc.constantFrom(...networks), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map(([[first, bits], at]) => numberOf(first) + Math.floor(at * 2 ** (32 - bits)));

/** A number as C reads it: decimal, octal or hexadecimal, in either case, with zeros before it. */
const written = (value: number) =>
  fc.tuple(fc.constantFrom(10, 8, 16), fc.boolean(), fc.nat({ max: 3 })).map(([base, upper, zeros]) => {
    if (base === 10) return String(value);
    const digits = `${'0'.repeat(zeros)}${value.toString(base)}`;
    const text = base === 8 ? `0${digits}` : `0x${digits}`;
    return upper ? text.toUpperCase() : text;
  });

/** An IPv4 address in any form that inet_aton reads: one to four numbers, the last taking what is left. */
const spelledIPv4 = (value: number) =>
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '.')).chain(([parts, dot]) => {
    const numbers = Array.from({ length: parts }, (_, at) =>
      at < parts - 1 ? Math.floor(value / 2 ** (24 - 8 * at)) % 256 : value % 2 ** (32 - 8 * at),
    );
    return fc.tuple(...numbers.map(written)).map((texts) => texts.join('.') + dot);
  });

/** Eight groups of an IPv6 address in any form RFC 4291 allows: zeros before, either case, one run of zeros left out. */
const spelledIPv6 = (groups: readonly number[]) =>
  fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()).map(([upper, padded, short, tail]) => {
    const hex = groups.map((group) => group.toString(16).padStart(padded ? 4 : 1, '0'));
    const texts = tail ? [...hex.slice(0, 6), dotted((groups[6] ?? 0) * 65_536 + (groups[7] ?? 0))] : hex;
    const joined = texts.join(':');
    const shortened = short ? joined.replace(/(?:^|:)(?:0{1,4}(?::|$)){2,}/, '::') : joined;
    return upper ? shortened.toUpperCase() : shortened;
  });

/** Groups of IPv6 forms that carry an IPv4 address. */
const carrying = (value: number): readonly (readonly number[])[] => {
  const high = Math.floor(value / 65_536);
  const low = value % 65_536;
  return [
    [0, 0, 0, 0, 0, 0xffff, high, low],
    [0, 0, 0, 0, 0, 0, high, low],
    [0x64, 0xff9b, 0, 0, 0, 0, high, low],
    [0x64, 0xff9b, 1, 0, 0, 0, high, low],
    [0x2002, high, low, 0, 0, 0, 0, 1],
    [0x2001, 0, 0x4136, 0xe378, 0x8000, 0x63bf, high ^ 0xffff, low ^ 0xffff],
    [0, 0, 0, 0, 0xffff, 0, high, low],
  ];
};

const group = fc.integer({ min: 0, max: 0xffff });

/** IPv6 addresses of networks that no refresh dials. */
const forbiddenIPv6 = fc
  .tuple(
    fc.constantFrom(0xfe80, 0xfebf, 0xfc00, 0xfd00, 0xfdff, 0xff02, 0xff0e, 0xfec0, 0x4000, 0),
    fc.array(group, { minLength: 7, maxLength: 7 }),
  )
  .map(([first, rest]) => [first, ...rest]);

const anySpelling = fc.oneof(
  forbiddenIPv4.chain((value) => spelledIPv4(value).map((host) => ({ host, means: dotted(value) }))),
  fc
    .oneof(
      forbiddenIPv4.chain((value) => fc.constantFrom(...carrying(value))),
      forbiddenIPv6,
    )
    .chain((groups) =>
      spelledIPv6(groups).map((host) => ({
        host,
        means: groups.map((each) => each.toString(16)).join(':'),
      })),
    ),
);

const target = (host: string): ProbeTarget => ({
  host,
  port: 5432,
  tls: 'none',
  tlsMode: 'disable',
  ca: undefined,
  protocol: 'http',
  hello: {},
});

const dialledBy = async (probed: ProbeTarget, names: Readonly<Record<string, readonly string[]>>) => {
  const network = probeNetwork({ names });
  const { outcome } = await probeService(probed, {
    network,
    rules: { privateNetworks: [], forbidden: [] },
    signal: new AbortController().signal,
    recordDial: (_address, connect) => connect(),
    recordRefusal: async () => undefined,
  });
  return { outcome, dialled: network.dialled };
};

describe(`a refresh never dials a forbidden address (${inputCountText} of them, CON-121)`, () => {
  it('however it is spelled', async () => {
    await sweepInputs(anySpelling, async ({ host, means }) => {
      // The resolver of the machine reads every spelling for what it means.
      const { outcome, dialled } = await dialledBy(target(host), { [host]: [means] });
      expect([host, outcome, dialled]).toEqual([host, 'refused', []]);
    });
  });

  it('however a URL spells it, with user, port and escapes', async () => {
    const connector = readConnectors().get('http');
    if (connector === undefined) throw new Error('there is no connector for HTTP');
    const escaped = (host: string) =>
      host.replace(/[0-9]/, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
    const wide = (host: string) =>
      host
        .replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
        .replaceAll('.', '。');
    const urls = fc
      .tuple(anySpelling, fc.constantFrom(String, escaped, wide), fc.constantFrom('http', 'https'))
      .map(([{ host }, spell, scheme]) =>
        host.includes(':') ? `${scheme}://[${host}]/x` : `${scheme}://${spell(host)}:8080/x`,
      )
      .filter((url) => URL.canParse(url));
    await sweepInputs(urls, async (url) => {
      const probed = probeTargetOf(connector, { url });
      const { outcome, dialled } = await dialledBy(probed, {});
      expect([url, outcome, dialled]).toEqual([url, 'refused', []]);
    });
  });

  it('wherever it stands among the addresses of a name', async () => {
    const publicAddresses = fc.array(
      fc.constantFrom('20.30.40.50', '8.8.4.4', '2600:1f18::1', '::ffff:20.30.40.50'),
      { maxLength: 4 },
    );
    const answers = fc.tuple(publicAddresses, anySpelling, publicAddresses);
    await sweepInputs(answers, async ([before, { means }, after]) => {
      const name = 'db.rebind.example';
      const { outcome, dialled } = await dialledBy(target(name), { [name]: [...before, means, ...after] });
      expect([means, outcome, dialled]).toEqual([means, 'refused', []]);
    });
  });
});
