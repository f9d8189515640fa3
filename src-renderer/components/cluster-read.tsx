import type { Reading } from '#shared/api/reading.ts';
import { type AnswerProps, AnswerView, NotReadPanel } from './answer-view.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { PageLink } from './page-link.tsx';
import { TargetActions } from './targets/target-actions.tsx';

/** A reading of a cluster, with the target it came from. */
export type ClusterReading = Reading & { readonly target?: string | undefined };

/** The content read from a cluster or a bundle, or in its place: what is waited for, did not answer, or is not attached. */
export function ClusterRead<Answer extends ClusterReading>(props: AnswerProps<Answer>) {
  const { query, what } = props;
  return (
    <AnswerView
      {...props}
      from=" from the cluster"
      unavailable={({ target, unmeasured }) =>
        target === undefined ? (
          <NoCluster what={what} />
        ) : (
          <NotReadPanel
            title={`${what} in ${target} were not read`}
            reasons={unmeasured}
            actions={<TargetActions target={target} reading={query.isFetching} />}
          />
        )
      }
    />
  );
}

function NoCluster({ what }: { readonly what: string }) {
  return (
    <FailurePanel
      state="idle"
      label="Not attached"
      title="No cluster is attached"
      actions={
        <PageLink to={{ tab: 'overview' }} look="filled">
          Attach a cluster
        </PageLink>
      }
    >
      <p>
        {what} are read from a cluster, or from a bundle of one. Choose a cluster of your kubeconfig, open a
        bundle, or explore the sandbox.
      </p>
    </FailurePanel>
  );
}
