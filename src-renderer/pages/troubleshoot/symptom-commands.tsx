import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconActivity } from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { catalogueQuery } from './catalogue-query.ts';
import { areaTitles, withPlaceholders } from './symptom-labels.ts';
import { panelAddress } from './troubleshoot-address.ts';

/** Puts the catalogue into the palette for as long as that is open; it is read when first needed. */
export function SymptomCommands() {
  const [{ target }, go] = usePageAddress();
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
          run: () => go(panelAddress('catalogue', target, id)),
        })),
      [data, target, go],
    ),
  );
  return null;
}
