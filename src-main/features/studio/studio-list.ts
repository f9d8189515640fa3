import type { StudioList } from '#shared/api/studio.ts';

/**
 * `GET /api/studio` while no code host is attached: a read that could not reach its source still answers 200
 * (spec/console.md, What the service does 7).
 */
export function unreadStudioList(): StudioList {
  return {
    apps: [],
    org: '',
    source: 'unavailable',
    complete: false,
    unmeasured: ['The apps were not read: this console has no code host attached.'],
    statusComplete: false,
  };
}
