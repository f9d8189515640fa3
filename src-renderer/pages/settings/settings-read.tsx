import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Settings } from '#shared/api/settings.ts';
import { PlainAnswer } from '../../components/plain-answer.tsx';
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
      <PlainAnswer
        query={settings}
        what="the settings"
        meanwhile="The console keeps running with the settings it started with."
        rows={6}
      >
        {children}
      </PlainAnswer>
    </Section>
  );
}
