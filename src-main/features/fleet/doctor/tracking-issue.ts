import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { annotations } from '#shared/platform/labels.ts';
import type { CodeHost } from '../../../sources/code-host/index.ts';
import { imageReference } from '../../delivery/index.ts';
import type { CronJob } from '../agent-workloads.ts';

type TrackingIssue = RouteAnswer<RouteOf<'fleet.doctor'>>['tracking_issue'];

/** The issue an agent writes down in what it finds; absent when there is none, and when it was not read. */
export type TrackingIssueRead = {
  readonly issue?: NonNullable<TrackingIssue>;
  /** Gaps in the reading, one sentence each. */
  readonly unmeasured: readonly string[];
};

/**
 * The newest open issue with the agent's label, in the repository that its CronJob names in an annotation, else in the one
 * its image is built of. Costs one read of the code host, two without the annotation. Never throws.
 */
export async function readTrackingIssue(
  codeHost: CodeHost,
  cronJob: CronJob,
  label: string,
): Promise<TrackingIssueRead> {
  const repository = await repositoryOf(codeHost, cronJob);
  if (!repository.ok) return { unmeasured: [`The tracking issue was not read: ${repository.reason}.`] };
  const read = await codeHost.issues(repository.name, { state: 'open', label, page: 1 });
  if (!read.ok)
    return { unmeasured: [`The tracking issue was not read in ${repository.name}: ${read.reason}.`] };
  const [newest] = read.value.items;
  const unmeasured =
    read.stale === undefined ? [] : [`The tracking issue could not be refreshed: ${read.stale}.`];
  if (newest === undefined) return { unmeasured };
  const { number, title, htmlUrl, state, updatedAt } = newest;
  return {
    issue: { number, title, url: htmlUrl, state, updated_at: updatedAt, repo: repository.name },
    unmeasured,
  };
}

type Found = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly reason: string };

async function repositoryOf(codeHost: CodeHost, { metadata, spec }: CronJob): Promise<Found> {
  const named = metadata.annotations[annotations.repository]?.trim();
  if (named !== undefined && named !== '') return { ok: true, name: named };
  const [installation, repositories] = await Promise.all([codeHost.installation(), codeHost.repositories()]);
  if (!installation.ok) return { ok: false, reason: installation.reason };
  if (!repositories.ok) return { ok: false, reason: repositories.reason };
  const paths = (spec.jobTemplate.spec?.template.spec?.containers ?? []).flatMap(
    ({ image }) => imageReference(image)?.name.toLowerCase() ?? [],
  );
  const owner = installation.value.org.toLowerCase();
  const built = repositories.value.items.find(({ name }) =>
    paths.some((path) => path.endsWith(`/${owner}/${name.toLowerCase()}`)),
  );
  return built === undefined
    ? {
        ok: false,
        reason: `no repository of ${installation.value.org} builds its image, so name the one that has the issue in the annotation ${annotations.repository} of the CronJob ${metadata.name}`,
      }
    : { ok: true, name: built.name };
}
