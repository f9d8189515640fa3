import { describe, expect, it } from 'vitest';
import { type ScheduleParts, schedules } from '../../../../../src-main/features/fleet/schedules/schedules.ts';
import { labels } from '../../../../../src-shared/platform/labels.ts';
import { objectCluster } from '../../../../support/object-cluster.ts';

const agent = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'agents', labels: { [labels.agent]: 'nightly' } },
  spec: { schedule: '0 3 * * *', jobTemplate: {} },
};

/** Schedules of the target `dev` as a caller sees them whom every list admits. */
async function seen(
  isWritable: ScheduleParts['isWritable'],
  email: string | undefined = 'ada@northgate.example',
) {
  const allowlists: ScheduleParts['allowlists'] = {
    admits: async () => true,
    describe: async () => [],
    isSet: async () => true,
    sessionAdmins: async () => ({
      admins: [],
      size: 0,
      source: 'env',
      you: false,
      may_name_first: false,
      revision: 0,
    }),
    setSessionAdmins: async () => undefined,
  };
  const parts: ScheduleParts = {
    allowlists,
    now: Date.now,
    isWritable,
  };
  const caller = { email, sessionId: undefined, localOperator: false, signInLink: false };
  const answer = await schedules(parts, { id: 'dev', cluster: objectCluster([agent]) }, { caller });
  return answer.items[0];
}

describe('whether an agent may be armed and disarmed', () => {
  it('depends on the target being writable', async () => {
    expect(await seen((target) => target === 'dev')).toMatchObject({ editable: true });
    expect(await seen((target) => target !== 'dev')).toMatchObject({
      editable: false,
      not_editable_because: expect.stringMatching(/^The target dev is read only: .*CONSOLE_WRITABLE_TARGETS/),
    });
  });
});
