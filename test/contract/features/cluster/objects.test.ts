import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { node, object, pod, readingCluster } from './harness.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretWords = 'hunter2 is the password';

describe('an object', () => {
  it('is YAML as the cluster has it, without what only machines keep in it', async () => {
    const raw = object(
      'apps/v1',
      'Deployment',
      {
        name: 'api',
        namespace: 'shop',
        managedFields: [{ manager: 'kubectl' }],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'kept' },
      },
      { spec: { replicas: 2, unknownToTheConsole: true } },
    );
    const { read } = await readingCluster(objectCluster([raw]));
    const { yaml = '', ...answer } = await read(
      'cluster.object',
      '/api/objects/Deployment/api?namespace=shop',
    );
    expect(yaml.startsWith('apiVersion: apps/v1\nkind: Deployment\nmetadata:\n')).toBe(true);
    expect(parse(yaml)).toMatchObject({
      metadata: { name: 'api', annotations: { note: 'kept' } },
      spec: { replicas: 2, unknownToTheConsole: true },
    });
    expect(yaml).not.toMatch(/managedFields|last-applied/);
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true });
  });

  it('that is a Secret says of each value only how long it is', async () => {
    const raw = object(
      'v1',
      'Secret',
      {
        name: 'db',
        namespace: 'shop',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
            data: { password: base64(secretWords) },
          }),
        },
      },
      {
        type: 'Opaque',
        data: { password: base64(secretWords), elided: base64('1338 bytes long'), hidden: '***HIDDEN***' },
        stringData: { token: secretWords },
      },
    );
    const { get, read } = await readingCluster(objectCluster([raw]));
    const path = '/api/objects/Secret/db?namespace=shop';
    expect(parse((await read('cluster.object', path)).yaml ?? '')).toMatchObject({
      type: 'Opaque',
      data: { password: '(23 bytes)', elided: '(1338 bytes)', hidden: '(redacted)' },
      stringData: { token: '(23 bytes)' },
    });
    const { text } = await get(path);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(base64(secretWords));
  });

  it('of the whole cluster needs no namespace; one in a namespace does', async () => {
    const { get, read } = await readingCluster(
      objectCluster([node('node-a'), pod({ name: 'one', namespace: 'x' })]),
    );
    expect((await read('cluster.object', '/api/objects/Node/node-a')).yaml).toContain('kind: Node');
    const refused = await get('/api/objects/Pod/one');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('A Pod is in a namespace: name it with ?namespace=.');
  });

  it('that does not exist, or is of a kind nobody reads, is 404', async () => {
    const { get } = await readingCluster(objectCluster([]));
    const missing = await get('/api/objects/Pod/one?namespace=x');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('There is no Pod one in x.');
    expect((await get('/api/objects/Node/one')).text).toContain('There is no Node one.');
    const unknown = await get('/api/objects/Lease/one?namespace=x');
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('There is no kind Lease here');
  });

  it('is absent with the reason while the cluster does not answer', async () => {
    const { read } = await readingCluster(noCluster(Date.now));
    const answer = await read('cluster.object', '/api/objects/Pod/one?namespace=x');
    expect(answer).not.toHaveProperty('yaml');
    expect(answer).toMatchObject({ source: 'unavailable', complete: false });
    expect(answer.unmeasured).toHaveLength(1);
  });
});
