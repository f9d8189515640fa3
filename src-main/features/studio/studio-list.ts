import type { StudioList } from '#shared/api/studio.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { byDeadline, type CodeHost, type Repository } from '../../sources/code-host/index.ts';
import { readStatus, type StatusRead } from './app-status.ts';

/** Limits of `GET /api/studio` (CON-192, CON-194). */
const appsEnriched = 12;
const workers = 4;

/** Topics by which a repository is an app of the studio, and one that is a pipeline. */
const appTopic = 'studio-app';
const pipelineTopic = 'studio-pipeline';

/** Whether a repository is an app of the studio, or one of its pipelines. */
export const isStudioApp = ({ topics }: Pick<Repository, 'topics'>): boolean =>
  topics.includes(appTopic) || topics.includes(pipelineTopic);

/** Names that one sentence lists; beyond it only counts. */
const mostNamed = 30;

/**
 * Deadline in ms: an app not read by then is reported as unmeasured, so that an unresponsive code host does
 * not keep the page waiting for every round of its workers.
 */
const allReadWithin = 8_000;

const late: StatusRead = { reason: 'its status was not read in time: the code host is slow' };

/** `GET /api/studio` (CON-010 to CON-018). Never throws: what was not read is named in `unmeasured`. */
export async function studioList(codeHost: CodeHost): Promise<StudioList> {
  const [installation, listed] = await Promise.all([codeHost.installation(), codeHost.repositories()]);
  const org = installation.ok ? installation.value.org : '';
  if (!listed.ok) {
    const unmeasured = [`The apps were not read: ${listed.reason}.`];
    return { apps: [], org, source: 'unavailable', complete: false, unmeasured, statusComplete: false };
  }
  const { truncated, total, items } = listed.value;
  const unmeasured: string[] = [];
  if (truncated)
    unmeasured.push(
      `The list was cut short: the first ${items.length} of ${total} repositories were looked at.`,
    );
  if (listed.stale !== undefined) unmeasured.push(`The list is an older one: ${listed.stale}.`);

  const apps = items.filter(isStudioApp).toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const enriched = apps.slice(0, appsEnriched);
  const deadline = AbortSignal.timeout(allReadWithin);
  const statuses = await inParallel(enriched, workers, (app) =>
    byDeadline<StatusRead>(deadline, late, () => readStatus(codeHost, app)),
  );

  let statusComplete = apps.length === enriched.length;
  for (const [index, { name }] of enriched.entries()) {
    const read = statuses[index];
    if (read === undefined || 'reason' in read) {
      statusComplete = false;
      unmeasured.push(`${name}: ${read?.reason ?? 'its status was not read'}.`);
    } else {
      if (read.stale) statusComplete = false;
      for (const note of read.notes) unmeasured.push(`${name}: ${note}.`);
    }
  }
  if (apps.length > enriched.length) unmeasured.push(beyond(apps.slice(enriched.length)));
  return {
    apps: apps.map((app, index) => listedApp(app, statuses[index])),
    org,
    source: codeHost.source,
    complete: !truncated && listed.stale === undefined,
    unmeasured,
    statusComplete,
  };
}

function listedApp(app: Repository, read: StatusRead | undefined): StudioList['apps'][number] {
  return {
    name: app.name,
    description: app.description,
    html_url: app.htmlUrl,
    updated_at: app.updatedAt,
    kind: app.topics.includes(pipelineTopic) ? 'pipeline' : 'web',
    ...(read !== undefined && 'status' in read ? { status: read.status } : {}),
  };
}

/** Returns why the rest has no status: the reads are kept few (CON-192). */
function beyond(rest: readonly Repository[]): string {
  const named = rest.slice(0, mostNamed).map(({ name }) => name);
  const more = rest.length > named.length ? ` and ${rest.length - named.length} more` : '';
  return `Only the ${appsEnriched} most recently updated apps are read for their status; not read: ${named.join(', ')}${more}.`;
}
