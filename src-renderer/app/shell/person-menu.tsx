import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Spoken } from '../../components/spoken.tsx';
import { fromMantine, readTheme, themes } from '../../core/color-scheme.ts';
import { IconKey, IconLogout } from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useSession } from '../../core/session.tsx';
import { useChooseTheme } from '../../core/use-theme.ts';
import { themeTitles } from '../theme/theme-labels.ts';
import css from './person-menu.module.css';

/** Up to two letters for a person: `mira.kern@…` is MK, `operator@local` is O. */
function initialsOf(email: string): string {
  const parts = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return parts
    .slice(0, 2)
    .map((part) => Array.from(part)[0]?.toUpperCase())
    .join('');
}

/** Who is here: theme, sessions and the way out. */
export function PersonMenu() {
  const { me, signOut } = useSession();
  const [, go] = usePageAddress();
  const { colorScheme } = useMantineColorScheme();
  const chooseTheme = useChooseTheme();
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={css.avatar}>
          <Spoken>{me.email === undefined ? 'Nobody is signed in' : `Signed in as ${me.email}`}</Spoken>
          <span aria-hidden="true">{me.email === undefined ? '–' : initialsOf(me.email)}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={css.email ?? ''}>{me.email ?? 'Open console: nobody is signed in'}</Menu.Label>
        <Menu.RadioGroup value={fromMantine(colorScheme)} onChange={(value) => chooseTheme(readTheme(value))}>
          {themes.map((theme) => (
            <Menu.RadioItem key={theme} value={theme}>
              {themeTitles[theme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        {me.authed && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconKey size={14} stroke={2} aria-hidden />}
              onClick={() => go({ tab: 'settings', section: 'sessions' })}
            >
              Sign-in and sessions
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout size={14} stroke={2} aria-hidden />} onClick={signOut}>
              Sign out
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
