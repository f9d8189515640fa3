/** The sections of the settings page by the name in the address, in order. */
export const settingsSections = [
  { name: 'appearance', title: 'Appearance' },
  { name: 'setUp', title: 'Set-up' },
  { name: 'sessions', title: 'Sign-in and sessions' },
  { name: 'keys', title: 'Keys' },
  { name: 'codeHost', title: 'Code host' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'about', title: 'About' },
] as const;

export type SettingsSection = (typeof settingsSections)[number]['name'];
