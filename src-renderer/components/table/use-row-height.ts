import { useQuery } from '@tanstack/react-query';
import { preferencesQuery } from '../../core/queries.ts';

/** Row heights of `data-table.module.css`, in pixels. */
const rowHeights = { default: 32, compact: 28 } as const;

/** The height of a list's rows as the person prefers it, in pixels. */
export function useRowHeight(): number {
  const { data: preferences } = useQuery({ ...preferencesQuery, enabled: false });
  return rowHeights[preferences?.density ?? 'default'];
}
