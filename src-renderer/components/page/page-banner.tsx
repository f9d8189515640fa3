import { ActionIcon, Button } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAnotherBuild } from '../../core/build.ts';
import { isSilence } from '../../core/failure.ts';
import { IconLock, IconRefresh, IconX } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { useSession } from '../../core/session.tsx';
import { usePlatform } from '../../core/use-platform.ts';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import { BundleNote, useShownBundle } from './bundle-note.tsx';
import css from './page-banner.module.css';

/**
 * The one banner of a page, the gravest first: the console is silent, what is read is an offline bundle, or nobody can sign
 * in.
 */
export function PageBanner() {
  const { me } = useSession();
  const platform = usePlatform();
  const { readAgain } = useReading();
  const bundle = useShownBundle();
  const anotherBuild = useAnotherBuild();
  if (isSilence(platform.error)) {
    return (
      <div className={css.slot}>
        <Banner
          look="failing"
          urgent
          icon={<Glyph state="failing" />}
          title="The console does not answer."
          action={
            <Button size="xs" onClick={readAgain} loading={platform.isFetching}>
              Retry
            </Button>
          }
        >
          The page shows the last data read. Retrying every 5 s.
        </Banner>
      </div>
    );
  }
  if (anotherBuild) {
    return (
      <div className={css.slot}>
        <Banner
          look="note"
          icon={<IconRefresh size={14} stroke={2} aria-hidden />}
          title="The console was updated."
          action={
            <Button size="xs" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          This window still runs the version before. It reloads by itself when nobody uses it, and opens here
          again.
        </Banner>
      </div>
    );
  }
  if (bundle !== undefined) {
    return (
      <div className={css.slot}>
        <BundleNote bundle={bundle} />
      </div>
    );
  }
  if (!me.authRequired && !me.authed) {
    return (
      <Note
        name="open"
        icon={<IconLock size={14} stroke={2} aria-hidden />}
        title="Open console: no sign-in is configured."
      >
        Anyone who can reach this address can read. Set <code>CONSOLE_ADMIN_PASSWORD</code> or an identity
        provider to require sign-in.
      </Note>
    );
  }
  return null;
}

type NoteProps = {
  readonly name: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
};

/** A note that can be put away for as long as this window lives. */
function Note({ name, icon, title, children }: NoteProps) {
  const [dismissed, setDismissed] = useSessionStorage({
    key: `console.banner.${name}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (dismissed) return null;
  return (
    <div className={css.slot}>
      <Banner
        look="note"
        icon={icon}
        title={title}
        action={
          <ActionIcon
            className={css.dismiss}
            variant="transparent"
            onClick={() => setDismissed(true)}
            aria-label="Dismiss this note"
          >
            <IconX size={14} stroke={2} aria-hidden />
          </ActionIcon>
        }
      >
        {children}
      </Banner>
    </div>
  );
}
