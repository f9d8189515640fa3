import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import { usePlace } from '../../core/place.ts';
import { catalogueQuery } from './catalogue-query.ts';
import { areaTitles, withPlaceholders } from './symptom-words.ts';
import { panelPlace } from './troubleshoot-place.ts';

/** Puts the catalogue into the palette for as long as that is open; it is read when first needed. */
export function SymptomCommands() {
  const [{ target }, go] = usePlace();
  const { data } = useQuery(catalogueQuery);
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        (data ?? []).map(({ id, area, title }) => ({
          id: `symptom.${id}`,
          group: 'Symptoms',
          title: withPlaceholders(title).replaceAll('`', ''),
          detail: areaTitles[area],
          icon: IconActivity,
          run: () => go(panelPlace('catalogue', target, id)),
        })),
      [data, target, go],
    ),
  );
  return null;
}
