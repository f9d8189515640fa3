import type { ControlPlane } from '#shared/api/cluster.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { healthStates } from '../../components/health-states.ts';
import { State } from '../../components/state.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import css from './control-planes-page.module.css';

/** Shows what a control plane is and what runs it. */
export function PlaneFacts({ plane }: { readonly plane: ControlPlane }) {
  const { phase, image, endpoint, observed, workload, tenant, runner } = plane;
  return (
    <div className={css.facts}>
      <Facts>
        <Fact name="Phase">{phase ?? 'Not set by the operator'}</Fact>
        <Fact name="Newest spec">
          {observed === undefined
            ? 'Not reported by the operator'
            : observed
              ? 'Observed by the operator'
              : 'Not yet observed by the operator'}
        </Fact>
        <Fact name="Runner">{runner ? 'With a runner' : 'Without a runner'}</Fact>
        {tenant !== undefined && <Fact name="Tenant">{tenant}</Fact>}
      </Facts>
      <Facts>
        <Fact name="Workload">
          {workload === undefined ? (
            'No Deployment was found for it'
          ) : (
            <>
              <State {...healthStates[workload.state]} />
              <span>
                {workload.kind} <code>{workload.name}</code>,{' '}
                {workload.ready === undefined || workload.desired === undefined ? (
                  <NotReadCell />
                ) : (
                  `${workload.ready} of ${workload.desired} ready`
                )}
              </span>
            </>
          )}
        </Fact>
        {image !== undefined && (
          <Fact name="Image">
            <code>{image}</code>
            <CopyIcon text={() => image} label="Copy the image" />
          </Fact>
        )}
        {endpoint !== undefined && (
          <Fact name="Endpoint">
            <code>{endpoint}</code>
            <CopyIcon text={() => endpoint} label="Copy the endpoint" />
          </Fact>
        )}
      </Facts>
    </div>
  );
}
