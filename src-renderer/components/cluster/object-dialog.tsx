import { useQuery } from '@tanstack/react-query';
import type { ObjectRef } from '#shared/api/cluster.ts';
import { call } from '../../core/api.ts';
import { clusterKey, useClusterTarget } from '../../core/cluster-target.ts';
import { ClusterRead } from '../cluster-read.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { FailurePanel } from '../failure-panel.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import css from './object-dialog.module.css';

type ObjectDialogProps = {
  /** `group` tells kinds of the same name apart. */
  readonly object: ObjectRef & { readonly group?: string };
  readonly onClose: () => void;
};

/** One object as the cluster or the bundle has it, to read and to copy. */
export function ObjectDialog({ object: { kind, name, namespace, group }, onClose }: ObjectDialogProps) {
  const target = useClusterTarget();
  const query = useQuery({
    queryKey: clusterKey(target, 'object', group ?? '', kind, namespace ?? '', name),
    queryFn: () => call('cluster.object', { params: { kind, name }, query: { target, namespace, group } }),
  });
  return (
    <Dialog title={`${kind} ${name}`} width={860} onClose={onClose}>
      <ClusterRead query={query} what="Objects" board skeleton={<SkeletonRows rows={8} />}>
        {({ yaml, unmeasured }) =>
          yaml === undefined ? (
            <FailurePanel state="unknown" label="Not read" title={`${kind} ${name} was not read`}>
              {unmeasured.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </FailurePanel>
          ) : (
            <>
              <div className={css.bar}>
                <p>Without managed fields; values of secrets are masked.</p>
                <CopyButton text={() => yaml} label="Copy YAML" />
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
              <pre className={css.yaml} tabIndex={0}>
                {yaml.split('\n').map((line, index) => (
                  <YamlLine key={index} line={line} />
                ))}
              </pre>
            </>
          )
        }
      </ClusterRead>
    </Dialog>
  );
}

/** A line with its key told from its value. */
function YamlLine({ line }: { readonly line: string }) {
  const [, before = '', key, rest = ''] = /^([\s-]*)([\w./-]+:)(.*)$/.exec(line) ?? [];
  if (key === undefined) return `${line}\n`;
  return (
    <>
      {before}
      <span className={css.key}>{key}</span>
      {`${rest}\n`}
    </>
  );
}
