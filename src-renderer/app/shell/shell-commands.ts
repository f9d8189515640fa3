import { useMemo } from 'react';
import { themes } from '../../core/color-scheme.ts';
import type { Command } from '../../core/commands.tsx';
import {
  IconAdjustmentsHorizontal,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconMessage,
  IconPlayerPause,
  IconPlayerPlay,
  IconReload,
} from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { useSession } from '../../core/session.tsx';
import { settingsSections } from '../../core/settings-sections.ts';
import { tabs } from '../../core/tabs.ts';
import { useChooseTheme } from '../../core/use-theme.ts';
import { themeIcons, themeTitles } from '../theme/theme-labels.ts';
import { useOpenTab } from '../use-open-tab.ts';

type ShellMoves = { toggleRail(): void; openPalette(): void; openKeys(): void; toggleAsk(): void };

/** What can be done on every page. */
export function useShellCommands({
  toggleRail,
  openPalette,
  openKeys,
  toggleAsk,
}: ShellMoves): readonly Command[] {
  const [, openTab] = useOpenTab();
  const [, go] = usePageAddress();
  const { paused, togglePause, readAgain } = useReading();
  const { me, signOut } = useSession();
  const chooseTheme = useChooseTheme();
  return useMemo<readonly Command[]>(
    () => [
      ...tabs.map<Command>((page) => ({
        id: `page.${page.tab}`,
        group: 'Pages',
        title: page.title,
        ...(page.key === undefined ? {} : { keys: `g ${page.key}` }),
        icon: page.icon,
        to: { tab: page.tab },
        run: () => openTab(page.tab),
      })),
      ...settingsSections.map<Command>(({ name, title }) => ({
        id: `settings.${name}`,
        group: 'Pages',
        title,
        detail: 'Settings',
        icon: IconAdjustmentsHorizontal,
        to: { tab: 'settings', section: name },
        run: () => go({ tab: 'settings', section: name }),
      })),
      {
        id: 'palette',
        group: 'Actions',
        title: 'Search or run a command',
        keys: 'mod+k',
        inPalette: false,
        run: openPalette,
      },
      {
        id: 'ask',
        group: 'Actions',
        title: 'Ask beside this page',
        keys: 'mod+i',
        icon: IconMessage,
        run: toggleAsk,
      },
      { id: 'read', group: 'Actions', title: 'Refresh', keys: 'r', icon: IconReload, run: readAgain },
      {
        id: 'pause',
        group: 'Actions',
        title: paused ? 'Go on reading' : 'Pause reading',
        keys: 'p',
        icon: paused ? IconPlayerPlay : IconPlayerPause,
        run: togglePause,
      },
      {
        id: 'rail',
        group: 'Actions',
        title: 'Fold or unfold the rail',
        keys: '[',
        icon: IconLayoutSidebar,
        run: toggleRail,
      },
      { id: 'keys', group: 'Actions', title: 'Show the keys', keys: '?', icon: IconKeyboard, run: openKeys },
      ...themes.map<Command>((theme) => ({
        id: `theme.${theme}`,
        group: 'Actions',
        title: themeTitles[theme],
        icon: themeIcons[theme],
        run: () => chooseTheme(theme),
      })),
      ...(me.authed ? [signOutCommand(me.email, signOut)] : []),
    ],
    [
      openTab,
      go,
      paused,
      togglePause,
      readAgain,
      toggleRail,
      openPalette,
      openKeys,
      toggleAsk,
      chooseTheme,
      me.authed,
      me.email,
      signOut,
    ],
  );
}

function signOutCommand(email: string | undefined, run: () => void): Command {
  return {
    id: 'sign-out',
    group: 'Actions',
    title: 'Sign out',
    detail: email,
    icon: IconLogout,
    confirm: 'Press Enter again to sign out',
    run,
  };
}
