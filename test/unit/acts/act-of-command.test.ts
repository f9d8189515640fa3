import { describe, expect, it } from 'vitest';
import { actOfCommand } from '../../../src-shared/acts/act-of-command.ts';

const web = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

describe('the act of a kubectl command', () => {
  it.each([
    ['kubectl -n shop rollout restart Deployment/web', 'restart', web, {}],
    ['kubectl -n shop rollout undo deployment/web --to-revision=3', 'rollback', web, { revision: 3 }],
    ['kubectl -n shop rollout undo deployment web', 'rollback', web, {}],
    ['kubectl -n shop scale deployments/web --replicas 3', 'scale', web, { replicas: 3 }],
    ['kubectl -n shop set image Deployment/web app=REPOSITORY:TAG', 'set_image', web, { container: 'app' }],
    [
      'kubectl -n shop set env Deployment/web -c app LEVEL=VALUE',
      'set_env',
      web,
      { container: 'app', name: 'LEVEL' },
    ],
    [
      'kubectl uncordon worker-1',
      'uncordon',
      { group: '', version: 'v1', kind: 'Node', name: 'worker-1' },
      {},
    ],
    [
      'kubectl -n shop create job nightly-by-hand --from=cronjob/nightly',
      'run_cron_job',
      { group: 'batch', version: 'v1', kind: 'CronJob', namespace: 'shop', name: 'nightly' },
      {},
    ],
    [
      'kubectl -n shop delete pod web-1',
      'delete_pod',
      { group: '', version: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-1' },
      {},
    ],
    ['kubectl -n shop edit deployment/web', 'apply', web, {}],
  ] as const)('%s', (command, act, object, args) => {
    expect(actOfCommand(command)).toEqual({ act, object, args });
  });

  it.each([
    'kubectl uncordon NODE',
    'kubectl -n shop set env Deployment/web --list',
    'kubectl -n shop delete pod web-1 --grace-period=0 --force',
    'kubectl -n shop delete pods --field-selector=status.phase=Failed',
    'kubectl -n shop rollout restart deployments',
    'kubectl -n shop rollout restart Deployment/web && kubectl -n shop get pods',
    'kubectl -n shop rollout status Deployment/web',
    'kubectl rollout restart deployment/web',
    'helm -n shop rollback web',
  ])('is none for what has an open place, is forced or is more than one act: %s', (command) => {
    expect(actOfCommand(command)).toBeUndefined();
  });
});
