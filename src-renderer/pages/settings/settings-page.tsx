import { placeAddress } from '#shared/place.ts';
import { usePlace } from '../../app/place.ts';
import { openedByPlainClick } from '../../app/plain-click.ts';
import { Page } from '../../app/shell/page.tsx';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import css from './settings-page.module.css';

/** The sections, in order. A new one is one entry here. */
const sections = [
  { name: 'appearance', title: 'Appearance', Section: AppearanceSection },
  { name: 'sessions', title: 'Sign-in and sessions', Section: SessionsSection },
  { name: 'about', title: 'About', Section: AboutSection },
] as const;

/** A person's own choices, their sessions, and what this console is. */
export function SettingsPage() {
  const [address, go] = usePlace();
  const open = sections.find(({ name }) => name === address.section) ?? sections[0];
  return (
    <Page title="Settings" sub={open.title} flush>
      <div className={css.settings}>
        <nav className={css.nav} aria-label="Settings">
          {sections.map(({ name, title }) => (
            <a
              key={name}
              className={css.link}
              href={placeAddress({ tab: 'settings', section: name })}
              aria-current={name === open.name ? 'page' : undefined}
              onClick={(event) => {
                if (openedByPlainClick(event)) go({ tab: 'settings', section: name });
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <div className={css.content}>
          <div className={css.measure}>
            <open.Section />
          </div>
        </div>
      </div>
    </Page>
  );
}
