import type { ActId } from '#shared/api/acts.ts';

const titles: Readonly<Record<ActId, string>> = {
  restart: 'Restart',
  scale: 'Scale',
  rollback: 'Roll back',
  delete_pod: 'Delete',
  cordon: 'Cordon',
  uncordon: 'Uncordon',
  drain: 'Drain',
  run_cron_job: 'Run',
  suspend: 'Suspend',
  resume: 'Resume',
  set_image: 'Set image of',
  set_env: 'Set variable of',
  apply: 'Edit',
};

/** The verb of an act, for titles: `Restart`. */
export const actTitle = (act: ActId): string => titles[act];
