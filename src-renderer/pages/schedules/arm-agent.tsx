import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AgentSchedule } from '#shared/api/fleet.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { scheduleLabel } from '../../components/schedule-labels.ts';
import { call } from '../../core/api.ts';

type ArmAgentProps = {
  /** As the person saw it. */
  readonly schedule: AgentSchedule;
  /** The cluster the address names. */
  readonly target: string | undefined;
  readonly onClose: () => void;
};

/** Asks before an agent is armed or disarmed. */
export function ArmAgent({ schedule, target, onClose }: ArmAgentProps) {
  const { name, namespace, enabled, agent } = schedule;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      call('fleet.setSchedule', {
        params: { name },
        query: { target, namespace },
        body: { enabled: !enabled, was_enabled: enabled },
      }),
    onSuccess: onClose,
    // Also when it failed: somebody else may have changed it meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: ['cluster'] }),
  });
  const cadence = scheduleLabel(schedule.schedule) ?? `at ${schedule.schedule}`;
  return (
    <ConfirmDialog
      title={enabled ? `Disarm ${name}?` : `Arm ${name}?`}
      verb={enabled ? 'Disarm' : 'Arm'}
      onConfirm={() => change.mutate()}
      onClose={onClose}
      working={change.isPending}
      error={change.error}
      failed={enabled ? 'It was not disarmed.' : 'It was not armed.'}
    >
      {enabled ? (
        <p>
          The agent <b>{agent}</b> starts no run until it is armed again. A run under way continues to its
          end.
        </p>
      ) : (
        <p>
          The agent <b>{agent}</b> runs {cadence} from now on, and acts within its guardrails without asking.
        </p>
      )}
      <p>
        This sets <code>spec.suspend</code> of CronJob <code>{name}</code> in {namespace} to{' '}
        {enabled ? 'true' : 'false'}, and is recorded in the audit trail.
      </p>
    </ConfirmDialog>
  );
}
