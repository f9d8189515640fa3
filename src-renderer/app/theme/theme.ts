import {
  type ButtonFactory,
  type CSSVariablesResolver,
  createTheme,
  type ExtendComponent,
  type FactoryPayload,
  type MantineThemeComponent,
  type MenuFactory,
  type NativeSelectFactory,
  type PasswordInputFactory,
  type PopoverFactory,
  type SegmentedControlFactory,
  type TextInputFactory,
  type TooltipFactory,
} from '@mantine/core';
import css from './components.module.css';
import { fonts, ramps, semanticColors } from './tokens.ts';

const buttonHeights: Readonly<Record<string, string>> = { xs: '24px', sm: '28px', md: '32px' };

/** How a component of Mantine looks here, as its own `extend` says it, which would load every component for the theme. */
const look = <Factory extends FactoryPayload>(extension: ExtendComponent<Factory>): MantineThemeComponent =>
  extension;

/** What stands around an input: its label, its help, what is wrong with it. */
const field = {
  label: css.label ?? '',
  description: css.description ?? '',
  error: css.fault ?? '',
} as const;

/** The design on Mantine: 13 px base, three control heights, system fonts. */
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  colors: ramps,
  fontFamily: fonts.ui,
  fontFamilyMonospace: fonts.mono,
  headings: { fontFamily: fonts.ui, fontWeight: '600' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'default',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '16px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  components: {
    Button: look<ButtonFactory>({
      defaultProps: { variant: 'default', size: 'sm' },
      classNames: { root: css.button ?? '', label: css.buttonLabel ?? '', section: css.buttonSection ?? '' },
      vars: (_theme, props) => {
        const size = String(props.size ?? 'sm');
        return {
          root: {
            '--button-height': buttonHeights[size] ?? '28px',
            '--button-padding-x': size === 'xs' ? '6px' : '10px',
            '--button-fz': size === 'xs' ? '12px' : '13px',
          },
        };
      },
    }),
    TextInput: look<TextInputFactory>({ classNames: { input: css.input ?? '', ...field } }),
    PasswordInput: look<PasswordInputFactory>({
      classNames: { input: css.input ?? '', innerInput: css.innerInput ?? '', ...field },
    }),
    NativeSelect: look<NativeSelectFactory>({
      classNames: { input: css.input ?? '', ...field },
    }),
    SegmentedControl: look<SegmentedControlFactory>({
      classNames: {
        root: css.segments ?? '',
        label: css.segmentLabel ?? '',
        indicator: css.segmentIndicator ?? '',
        control: css.segment ?? '',
      },
    }),
    Menu: look<MenuFactory>({
      defaultProps: {
        shadow: 'none',
        offset: 6,
        transitionProps: { duration: 0 },
        withInitialFocusPlaceholder: false,
      },
      classNames: {
        dropdown: css.dropdown ?? '',
        item: css.menuItem ?? '',
        itemSection: css.menuSection ?? '',
        label: css.menuLabel ?? '',
      },
    }),
    Popover: look<PopoverFactory>({
      defaultProps: { shadow: 'none', offset: 6, transitionProps: { duration: 0 } },
      classNames: { dropdown: css.dropdown ?? '' },
    }),
    Tooltip: look<TooltipFactory>({
      defaultProps: {
        openDelay: 400,
        offset: 6,
        transitionProps: { duration: 0 },
        events: { hover: true, focus: true, touch: false },
      },
      classNames: { tooltip: css.tooltip ?? '' },
    }),
  },
});

const semanticVariables = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--oc-${name}`, value]));

const mantineVariables = {
  '--mantine-color-body': 'var(--oc-canvas)',
  '--mantine-color-text': 'var(--oc-text)',
  '--mantine-color-dimmed': 'var(--oc-text-2)',
  '--mantine-color-anchor': 'var(--oc-accent-text)',
  '--mantine-color-error': 'var(--oc-failing-fg)',
  '--mantine-color-placeholder': 'var(--oc-text-3)',
  '--mantine-color-default': 'var(--oc-surface)',
  '--mantine-color-default-hover': 'var(--oc-hover)',
  '--mantine-color-default-color': 'var(--oc-text)',
  '--mantine-color-default-border': 'var(--oc-border-strong)',
  '--mantine-color-disabled': 'var(--oc-sunken)',
  '--mantine-color-disabled-color': 'var(--oc-text-3)',
  '--mantine-color-disabled-border': 'var(--oc-border)',
  '--mantine-primary-color-filled': 'var(--oc-accent-fill)',
  '--mantine-primary-color-filled-hover': 'var(--oc-accent-fill-hover)',
  '--mantine-primary-color-contrast': 'var(--oc-on-accent)',
  '--mantine-color-petrol-filled': 'var(--oc-accent-fill)',
  '--mantine-color-petrol-filled-hover': 'var(--oc-accent-fill-hover)',
};

/** Puts the semantic colours in as `--oc-*` and points Mantine's own at them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--oc-hatch':
      'repeating-linear-gradient(135deg, var(--oc-unknown-border) 0 1.5px, transparent 1.5px 5px)',
    '--oc-mono': fonts.mono,
    '--oc-easing': 'cubic-bezier(0.2, 0, 0, 1)',
  },
  light: { ...semanticVariables(semanticColors.light), ...mantineVariables },
  dark: { ...semanticVariables(semanticColors.dark), ...mantineVariables },
});
