import { z } from 'zod';
import type { ProbeTarget } from '../../../sources/service-probe/index.ts';
import type { WrittenConnector } from './written-connector.ts';

const tlsMode = z.enum(['disable', 'prefer', 'require', 'verify-ca', 'verify-full']).catch('verify-full');

/** Returns what a refresh of a connection with these settings dials, and what its hello needs. */
export function probeTargetOf(
  connector: WrittenConnector,
  given: Readonly<Record<string, string>>,
): ProbeTarget {
  const values = new Map(connector.settings.map(({ name, default: fallback = '' }) => [name, fallback]));
  for (const [name, value] of Object.entries(given)) values.set(name, value);
  const fill = (template: string, write: (value: string) => string = (value) => value): string =>
    template.replace(/\{(\w+)\}/g, (_all, name: string) => write(values.get(name) ?? ''));
  const { endpoint, hello, protocol } = connector;
  const filled = (template: string | undefined): string | undefined =>
    template === undefined ? undefined : fill(template);
  const common = {
    ca: values.get('ca_certificate') || undefined,
    protocol,
    hello: {
      bucket: filled(hello.bucket),
      user: filled(hello.user),
      database: filled(hello.database),
    },
  };
  if ('url' in endpoint) {
    const url = new URL(fill(endpoint.url));
    const direct = url.protocol === 'https:';
    // The path of a form is written in; the rest of an address is the person's own.
    const path =
      hello.path === undefined ? `${url.pathname}${url.search}` : fill(hello.path, encodeURIComponent);
    return {
      ...common,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (direct ? 443 : 80) : Number(url.port),
      tls: direct ? 'direct' : 'none',
      tlsMode: 'verify-full',
      hello: { ...common.hello, path },
    };
  }
  return {
    ...common,
    host: fill(endpoint.host),
    port: Number(fill(endpoint.port)),
    tls: endpoint.tls,
    tlsMode: endpoint.tls === 'none' ? 'disable' : tlsMode.parse(values.get('tls')),
  };
}

/** Returns host and port as people write them; credentials are kept for this endpoint. */
export function endpointText({ host, port }: Pick<ProbeTarget, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
