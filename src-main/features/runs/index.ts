export { byLastPush, chooseRepositories, repositoriesRead } from './choose-repositories.ts';
export { type RecentRuns, type RepositoryRuns, recentRuns } from './recent-runs.ts';
export { runHandlers } from './routes.ts';
