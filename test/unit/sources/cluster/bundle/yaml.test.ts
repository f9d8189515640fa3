import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { yamlHead, yamlObject } from '../../../../../src-main/sources/cluster/documents/yaml-object.ts';

const uid = '0f3c5a1e-1111-4222-8333-944455556666';
const head = (text: string): unknown => yamlHead(text);

describe('the head of an object in YAML', () => {
  it('is what parsing all of it gives, for an object by itself and for an item of a list', () => {
    const object = `apiVersion: v1
data:
  notes: |
    metadata:
      name: not this one
    kind: Nonsense
  .dockercfg: x
kind: ConfigMap
metadata:
  annotations:
    name: nor this one
    "quoted key": a text
      that goes on
  creationTimestamp: "2024-10-24T13:05:12Z"
  finalizers:
  - name: nor that
  name: settings
  namespace: 'shop'
  uid: ${uid}
`;
    const expected = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { creationTimestamp: '2024-10-24T13:05:12Z', name: 'settings', namespace: 'shop', uid },
    };
    const item = `- ${object.trimEnd().replaceAll('\n', '\n  ')}\n`;
    for (const text of [object, item, object.replaceAll('\n', '\r\n')]) {
      expect(head(text)).toEqual(expected);
      expect(yamlObject(text)).toMatchObject(expected);
    }
  });

  it('is left to the parser where a line does not tell it', () => {
    for (const name of ['123', '1e3', 'true', '"a\\u0062"', '|\n    x', '&a x', '{}', 'a b', 'x # y', '']) {
      expect(head(`kind: Pod\nmetadata:\n  name: ${name}\n`), name).toBeUndefined();
    }
    for (const text of [
      'metadata: {name: x}\nkind: Pod\n',
      'kind: Pod\nmetadata:\n  name: x\nspec: [unclosed\nstray line\n',
      'kind: PodList\nmetadata:\n  resourceVersion: "1"\nitems:\n- metadata:\n    name: x\n',
      '"kind": Pod\nmetadata:\n  name: x\n',
    ])
      expect(head(text), text).toBeUndefined();
  });

  it('agrees with the parser on what another writer writes', () => {
    for (const name of ['web', 'web-1.example', 'a1', '0a', 'no', '2024-10-24', 'x'.repeat(200)]) {
      const text = dump({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, uid },
        spec: { a: [{ name: 'y' }] },
      });
      const found = yamlHead(text);
      if (found !== undefined) expect(yamlObject(text), text).toMatchObject(found);
    }
    expect(yamlHead(dump({ kind: 'Pod', metadata: { name: 'web' } }))).toBeDefined();
  });
});
