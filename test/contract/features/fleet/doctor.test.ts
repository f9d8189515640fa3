import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { issue, repository, startCodeHost, world } from '../../../support/code-host.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { fleetConsole, minutesAgo } from './harness.ts';

const written = minutesAgo(25);

/** A doctor whose image is built of `image`, and whose annotation, if any, names `repo`. */
function doctor(image: string, repo?: string): RawObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: 'ops-doctor',
      namespace: 'agents',
      annotations: repo === undefined ? {} : { 'platform.dev/repository': repo },
    },
    spec: {
      schedule: '*/30 * * * *',
      jobTemplate: { spec: { template: { spec: { containers: [{ name: 'doctor', image }] } } } },
    },
  };
}

/** What the route answers of that doctor beside a code host with issues in `harbour` and `charts`. */
async function doctorWith(cronJob: RawObject) {
  const opened = (number: number, more: object) =>
    issue({ number, labels: ['ops-doctor'], createdAt: Date.parse(written), ...more });
  const host = await startCodeHost({
    world: world([
      repository({
        name: 'harbour',
        issues: [
          opened(7, { title: 'Older findings', createdAt: Date.parse(written) - 86_400_000 }),
          opened(9, { title: 'What the doctor found' }),
          opened(10, { title: 'Closed since', state: 'closed' }),
          opened(11, { title: 'Something else', labels: ['studio'] }),
        ],
      }),
      repository({ name: 'charts', issues: [opened(2, { title: 'Of the charts' })] }),
      repository({ name: 'empty' }),
    ]),
  });
  const { read } = await fleetConsole({ cluster: objectCluster([cronJob]), codeHost: host.codeHost });
  const answer = await read('fleet.doctor');
  await host.close();
  return answer;
}

describe("the doctor's tracking issue", () => {
  it('is the newest open issue with its label, in the repository the annotation names (CON-092)', async () => {
    const answer = await doctorWith(doctor('registry.example/northgate/harbour:1', 'charts'));
    expect(answer).toMatchObject({
      complete: true,
      tracking_issue: { repo: 'charts', number: 2, title: 'Of the charts', state: 'open' },
    });
  });

  it('is looked for in the repository its image is built of, when no annotation names one', async () => {
    const answer = await doctorWith(doctor('registry.example/northgate/harbour:1'));
    expect(answer).toMatchObject({
      complete: true,
      tracking_issue: {
        repo: 'harbour',
        number: 9,
        title: 'What the doctor found',
        state: 'open',
        updated_at: written,
        url: expect.stringMatching(/\/northgate\/harbour\/issues\/9$/),
      },
    });
  });

  it('is absent, with the rest complete, where no open issue has the label', async () => {
    const answer = await doctorWith(doctor('registry.example/northgate/harbour:1', 'empty'));
    expect(answer).toMatchObject({ complete: true, unmeasured: [] });
    expect(answer.tracking_issue).toBeUndefined();
  });

  it.each([
    ['a repository that is not there', 'northgate/harbour', 'gone', /not read in gone: /],
    [
      'an image of nobody known',
      'docker.io/library/alpine:3',
      undefined,
      /no repository of northgate builds its image, so name .* platform\.dev\/repository of the CronJob ops-doctor\.$/,
    ],
  ])('is said not to be read, with %s', async (_what, image, repo, reason) => {
    const answer = await doctorWith(doctor(image, repo));
    expect(answer).toMatchObject({ complete: false, unmeasured: [expect.stringMatching(reason)] });
    expect(answer.tracking_issue).toBeUndefined();
  });
});
