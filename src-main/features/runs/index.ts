export { byLastPush, chooseRepositories, repositoriesRead } from './choose-repositories.ts';
export {
  type Job,
  jobBegan,
  jobRunState,
  type PodsByJob,
  podsByJob,
} from './job-run.ts';
export { kubeTime } from './kube-time.ts';
export { type RecentRuns, recentRuns } from './recent-runs.ts';
export { runHandlers } from './routes.ts';
export { runList } from './run-list.ts';
