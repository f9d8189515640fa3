import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { getCommand } from '../../../../src-renderer/core/kubectl.ts';

const pod = (name: string, namespace: string) => ({ kind: 'Pod', name, namespace });
const live = { id: 'prod', kind: 'context', name: 'prod' } as const;

describe('the kubectl command of a table', () => {
  it('names objects by namespace, one line each, in the context of the target', () => {
    const objects = [pod('a', 'x'), pod('b', 'y'), pod('c', 'x')];
    expect(getCommand(objects, live, false)).toEqual({
      command:
        'kubectl --context prod get pod a c --namespace x\nkubectl --context prod get pod b --namespace y',
      note: 'Asks the context prod.',
    });
  });

  it('names the kind of each object where there are several, and no namespace for those of the cluster', () => {
    const objects = [
      { kind: 'Node', name: 'n1' },
      { kind: 'ClientInstance', name: 'willow' },
    ];
    expect(getCommand(objects, live, false).command).toBe(
      'kubectl --context prod get node/n1 clientinstance/willow',
    );
  });

  it('asks for all of the kinds where the table shows all of them', () => {
    expect(getCommand([pod('a', 'x'), pod('b', 'y')], live, true).command).toBe(
      'kubectl --context prod get pod --all-namespaces',
    );
    expect(getCommand([pod('a', 'x')], live, true).command).toBe(
      'kubectl --context prod get pod --namespace x',
    );
  });

  it('lists the kind, and says so, where the names are too many for a line', () => {
    const many = Array.from({ length: 201 }, (_, index) => pod(`p${index}`, 'x'));
    const { command, note } = getCommand(many, live, false);
    expect(command).toBe('kubectl --context prod get pod --namespace x');
    expect(note).toContain('201 names are too many for one line');
  });

  it('hands a shell each name as it is, whatever is in it', () => {
    const context = "a 'quoted' $(touch x); name";
    const { command } = getCommand([pod('a b', 'n')], { ...live, id: context }, false);
    const shown = execFileSync('sh', ['-c', `kubectl() { printf '<%s>' "$@"; }; ${command}`]).toString();
    expect(shown).toBe(`<--context><${context}><get><pod><a b><--namespace><n>`);
  });

  it('says of a bundle that it has to be served first', () => {
    const bundle = { id: 'bundle:1', kind: 'bundle', name: 'dump.tar.gz' } as const;
    const { command, note } = getCommand([pod('a', 'x')], bundle, false);
    expect(command).toBe(
      '# dump.tar.gz is a bundle: serve it first with operator-console bundle serve\nkubectl get pod a --namespace x',
    );
    expect(note).toContain('Read from the bundle dump.tar.gz');
    expect(
      getCommand([pod('a', 'x')], { ...bundle, name: 'a\nrm -rf b' }, false).command.split('\n'),
    ).toHaveLength(2);
  });
});
