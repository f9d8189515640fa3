import type { ComponentType } from 'react';
import { Page } from '../../components/page/page.tsx';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { type SettingsSection, settingsSections } from '../../core/settings-sections.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { CodeHostSection } from './code-host-section.tsx';
import { ConfigurationSection } from './configuration-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SetUpSection } from './set-up-section.tsx';
import css from './settings-page.module.css';

const sectionOf: Readonly<Record<SettingsSection, ComponentType>> = {
  appearance: AppearanceSection,
  setUp: SetUpSection,
  sessions: SessionsSection,
  keys: KeysSection,
  codeHost: CodeHostSection,
  configuration: ConfigurationSection,
  about: AboutSection,
};

/** A person's own choices, their sessions, and what this console is. */
export function SettingsPage() {
  const [address, go] = usePageAddress();
  const href = useHref();
  const open = settingsSections.find(({ name }) => name === address.section) ?? settingsSections[0];
  const OpenSection = sectionOf[open.name];
  return (
    <Page title="Settings" sub={open.title} flush>
      <div className={css.settings}>
        <nav className={css.nav} aria-label="Settings">
          {settingsSections.map(({ name, title }) => (
            <a
              key={name}
              className={css.link}
              href={href({ tab: 'settings', section: name })}
              aria-current={name === open.name ? 'page' : undefined}
              onClick={(event) => {
                if (openedByPlainClick(event)) go({ tab: 'settings', section: name });
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a section without controls is scrolled by keys. */}
        {/* biome-ignore lint/a11y/useSemanticElements: no set of fields; its panels are the regions. */}
        <div className={css.content} tabIndex={0} role="group" aria-label={open.title}>
          <div className={css.measure}>
            <OpenSection key={open.name} />
          </div>
        </div>
      </div>
    </Page>
  );
}
