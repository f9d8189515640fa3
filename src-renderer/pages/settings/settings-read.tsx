import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Settings } from '#shared/api/settings.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { settingsQuery } from '../../core/settings-queries.ts';
import { Section } from './section.tsx';

type SettingsReadProps = {
  readonly title: string;
  readonly children: (settings: Settings) => ReactNode;
};

/** A section that stands on the console's settings: while they are read, when they were not, and once they were. */
export function SettingsRead({ title, children }: SettingsReadProps) {
  const settings = useQuery(settingsQuery);
  if (settings.data !== undefined) return children(settings.data);
  return (
    <Section title={title}>
      {settings.error === null ? (
        <SkeletonRows rows={6} />
      ) : (
        <FailurePanel
          state="unknown"
          label="Not read"
          title="The settings were not read"
          raw={sentenceOf(settings.error)}
          actions={
            <Button variant="filled" onClick={() => settings.refetch()} loading={settings.isFetching}>
              Try again
            </Button>
          }
        >
          <p>The console goes on with what it started with.</p>
        </FailurePanel>
      )}
    </Section>
  );
}
