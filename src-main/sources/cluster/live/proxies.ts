import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '../../../base/loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that leads to a server: the kubeconfig's proxy-url, else HTTPS_PROXY or HTTP_PROXY unless NO_PROXY names the
 * server (names and their subdomains, addresses, CIDR ranges, `*`; as Go's net/http reads them), or it is this machine: for
 * a loopback server only the kubeconfig's own counts.
 */
export function proxyFor(server: URL, proxyUrl: string | undefined, env: Environment): URL | undefined {
  if (proxyUrl !== undefined && proxyUrl !== '') return URL.parse(proxyUrl) ?? undefined;
  if (isLoopbackHost(server.hostname)) return undefined;
  const name = server.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[name] || env[name.toUpperCase()];
  if (proxy === undefined || isExempt(server, env.no_proxy || env.NO_PROXY || '')) return undefined;
  return URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`) ?? undefined;
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  return noProxy
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .some((rule) => rule === '*' || exempts(rule.toLowerCase(), host, port));
}

function exempts(rule: string, host: string, port: string): boolean {
  const range = /^(.+)\/(\d{1,3})$/.exec(rule);
  if (range !== null) return inRange(host, range[1] ?? '', Number(range[2]));
  const [, name = rule, rulePort] = /^(.*?)(?::(\d+))?$/.exec(isIP(rule) === 6 ? `[${rule}]` : rule) ?? [];
  if (rulePort !== undefined && rulePort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function inRange(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const ranges = new BlockList();
  ranges.addSubnet(network, bits, type);
  return ranges.check(host, type);
}
