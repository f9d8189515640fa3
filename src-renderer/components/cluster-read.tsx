import type { Reading } from '#shared/api/reading.ts';
import { type AnswerProps, AnswerRoom, NotReadPanel } from './answer-room.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { PlaceLink } from './place-link.tsx';
import { TargetWays } from './targets/target-ways.tsx';

/** What every read of a cluster says of itself. */
export type ClusterReading = Reading & { readonly target?: string | undefined };

/** The content read from a cluster or a bundle, or in its place: what is waited for, did not answer, or is not attached. */
export function ClusterRead<Answer extends ClusterReading>(props: AnswerProps<Answer>) {
  const { query, what } = props;
  return (
    <AnswerRoom
      {...props}
      from=" from the cluster"
      unavailable={({ target, unmeasured }) =>
        target === undefined ? (
          <NoCluster what={what} />
        ) : (
          <NotReadPanel
            title={`${what} in ${target} were not read`}
            reasons={unmeasured}
            actions={<TargetWays target={target} reading={query.isFetching} />}
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
      word="Not attached"
      title="No cluster is attached"
      actions={
        <PlaceLink place={{ tab: 'overview' }} look="filled">
          Attach a cluster
        </PlaceLink>
      }
    >
      <p>
        {what} are read from a cluster, or from a bundle that was taken of one. Choose a cluster of your
        kubeconfig, open a bundle, or explore the sandbox.
      </p>
    </FailurePanel>
  );
}
