import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useMutationState, useQuery } from '@tanstack/react-query';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { fromMantine, readTheme } from '../../core/color-scheme.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconSelector } from '../../core/icons/icons.ts';
import { preferencesQuery } from '../../core/queries.ts';
import { useSession } from '../../core/session.tsx';
import { firstTab, tabs } from '../../core/tabs.ts';
import { useSavePreferences } from '../../core/use-save-preferences.ts';
import { useChooseTheme } from '../../core/use-theme.ts';
import css from './appearance-section.module.css';
import { Section } from './section.tsx';
import { Setting } from './setting.tsx';

/** Theme, density and first page. Kept in the person's profile; the theme also on this machine. */
export function AppearanceSection() {
  const { me } = useSession();
  const { colorScheme } = useMantineColorScheme();
  const chooseTheme = useChooseTheme();
  const preferences = useQuery({ ...preferencesQuery, enabled: me.authed });
  const { mutate: save } = useSavePreferences();
  const unsaved = useLastSaveFailure();
  const failure = preferences.error ?? unsaved;
  return (
    <Section title="Appearance">
      {failure !== null && (
        <div className={css.failure}>
          <Banner
            look="failing"
            urgent
            icon={<Glyph state="failing" />}
            title={preferences.error === null ? 'Not saved.' : 'Your profile was not read.'}
          >
            {sentenceOf(failure)}
          </Banner>
        </div>
      )}
      <Setting title="Theme" about="System follows this machine. The studio follows it too.">
        <SegmentedControl
          aria-label="Theme"
          value={fromMantine(colorScheme)}
          onChange={(value) => chooseTheme(readTheme(value))}
          data={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Setting>
      {me.authed && preferences.data !== undefined && (
        <>
          <Setting title="Density" about="Compact rows show more at once.">
            <SegmentedControl
              aria-label="Density"
              value={preferences.data.density}
              onChange={(value) => save({ density: value === 'compact' ? 'compact' : 'default' })}
              data={[
                { value: 'default', label: 'Default' },
                { value: 'compact', label: 'Compact' },
              ]}
            />
          </Setting>
          <Setting title="First page" about="Opened when the address names no page.">
            <NativeSelect
              aria-label="First page"
              w={180}
              rightSection={<IconSelector size={16} stroke={2} aria-hidden />}
              value={preferences.data.defaultTab || firstTab}
              onChange={(event) => save({ defaultTab: event.currentTarget.value })}
              data={tabs.map(({ tab, title }) => ({ value: tab, label: title }))}
            />
          </Setting>
        </>
      )}
      <p className={css.foot}>
        {me.authed
          ? `Saved to your profile (${me.email}).`
          : 'Saved on this machine only: nobody is signed in. Density and first page are saved to a profile and need a sign-in.'}
      </p>
    </Section>
  );
}

/** Returns the error of the last preference change; null if it was saved or none was made. */
function useLastSaveFailure(): Error | null {
  const saves = useMutationState({
    filters: { mutationKey: ['preferences'] },
    select: (mutation) => mutation.state.error,
  });
  return saves.at(-1) ?? null;
}
