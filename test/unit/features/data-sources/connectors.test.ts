import { describe, expect, it } from 'vitest';
import { probeTargetOf } from '../../../../src-main/features/data-sources/catalogue/endpoint.ts';
import {
  connectorsOf,
  readConnectors,
} from '../../../../src-main/features/data-sources/catalogue/read-connectors.ts';

const written = (change: object = {}) =>
  JSON.stringify({
    type: 'db',
    name: 'Db',
    summary: 'A database.',
    documentation: 'https://example.com/db',
    protocol: 'none',
    endpoint: { host: '{host}', port: '{port}', tls: 'none' },
    settings: [
      { name: 'host', label: 'Host', kind: 'host', required: true },
      { name: 'port', label: 'Port', kind: 'port', default: '1' },
    ],
    credentials: [],
    ...change,
  });
const faultOf =
  (text: string, file = 'db.yaml') =>
  () =>
    connectorsOf([{ file, text }]);

describe('the catalogue of connectors (CON-116)', () => {
  it('says what is wrong with a file, naming it', () => {
    expect(faultOf(written())).not.toThrow();
    expect(faultOf('a: [')).toThrow('db.yaml');
    expect(faultOf(written({ colour: 'red' }))).toThrow('db.yaml');
    expect(faultOf(written({ documentation: 'http://example.com' }))).toThrow('documentation');
    expect(faultOf(written(), 'other.yaml')).toThrow('is named otherwise');
    expect(faultOf(written({ endpoint: { url: 'https://{account}.example' } }))).toThrow(
      '{account} is no setting',
    );
    expect(faultOf(written({ hello: { user: '{user}' } }))).toThrow('{user} is no setting');
    const loose = [{ name: 'host', label: 'Host', kind: 'host' }];
    expect(faultOf(written({ settings: loose, endpoint: { url: 'https://{host}' } }))).toThrow(
      'may be missing',
    );
    const choice = [{ name: 'host', label: 'Host', kind: 'choice', options: ['a', 'b'], default: 'c' }];
    expect(faultOf(written({ settings: choice, endpoint: { url: 'https://x' } }))).toThrow(
      'not among its options',
    );
  });

  it('probes each type by the protocol it names, and never claims one that is not spoken', () => {
    const targets = [...readConnectors().values()].map((connector) => {
      const settings = Object.fromEntries(
        connector.settings
          .filter(({ required }) => required)
          .map(({ name, kind }) => [name, kind === 'url' ? 'https://api.example/health?x=1' : 'northgate']),
      );
      const { host, port, tls, protocol } = probeTargetOf(connector, settings);
      return `${connector.type}: ${protocol} at ${host}:${port}, ${tls}`;
    });
    expect(targets.toSorted()).toEqual([
      'bigquery: http at bigquery.googleapis.com:443, direct',
      'gcs: http at storage.googleapis.com:443, direct',
      'http: http at api.example:443, direct',
      'hubspot: http at api.hubapi.com:443, direct',
      'mysql: mysql at northgate:3306, upgrade',
      'postgres: postgresql at northgate:5432, upgrade',
      's3: s3 at s3.amazonaws.com:443, direct',
      'salesforce: http at northgate:443, direct',
      'snowflake: none at northgate.snowflakecomputing.com:443, direct',
    ]);
  });
});
