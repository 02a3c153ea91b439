import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
  createTheme,
  defaultVariantColorsResolver,
} from '@mantine/core'

/** Height of touch targets: 44 px, more with a larger text size. */
const target = '2.75rem'

/** Height, padding and font size of buttons. */
const buttons: Record<string, readonly [string, string, string]> = {
  compact: ['2.125rem', '0.75rem', '0.8125rem'],
  sm: [target, '1rem', '0.875rem'],
  md: [target, '1.25rem', '0.9375rem'],
  lg: ['3.25rem', '1.75rem', '1.0625rem'],
}

function buttonVars(_theme: unknown, { size = 'md' }: { size?: string }) {
  const [height, padding, font] = buttons[size]!
  return { root: { '--button-height': height, '--button-padding-x': padding, '--button-fz': font } }
}

/** The ten shades of a colour, from light to dark. */
const shades = (all: string) => all.split(' ') as unknown as MantineColorsTuple

const field = { defaultProps: { size: 'md', withAsterisk: false } }

/** Components by name, because an imported one would be part of what every page loads first. */
const components: MantineThemeOverride['components'] = {
  ActionIcon: { defaultProps: { size: 44, radius: 10, variant: 'subtle', color: 'gray' } },
  Alert: { defaultProps: { radius: 10 } },
  Badge: { defaultProps: { variant: 'light', size: 'lg', radius: 'xl', tt: 'none', fz: 13, fw: 600 } },
  Button: { defaultProps: { size: 'md', radius: 'xl' }, vars: buttonVars },
  Checkbox: { defaultProps: { size: 'md' } },
  Chip: {
    defaultProps: { size: 'lg', radius: 'xl', variant: 'outline' },
    vars: () => ({ root: { '--chip-fz': '0.9375rem' } }),
  },
  CloseButton: { defaultProps: { size: 44, iconSize: 20 } },
  Group: { defaultProps: { gap: 8 } },
  Input: { vars: () => ({ wrapper: { '--input-height': target, '--input-bd': 'var(--field-border)' } }) },
  Textarea: field,
  TextInput: field,
  NativeSelect: field,
  // within the page's landmarks
  Menu: {
    defaultProps: { position: 'bottom-end', shadow: 'md', radius: 12, offset: 4, portalProps: { target: 'main' } },
  },
  Modal: { defaultProps: { withCloseButton: false, centered: true, radius: 16, size: 440, shadow: 'md' } },
  Paper: { defaultProps: { radius: 12 } },
  Radio: { defaultProps: { size: 'md' } },
  SegmentedControl: { defaultProps: { radius: 'xl', withItemsBorders: false } },
  Skeleton: { defaultProps: { radius: 8, 'aria-hidden': true } },
  Stack: { defaultProps: { gap: 16 } },
  Switch: { defaultProps: { size: 'md' } },
  Table: { defaultProps: { tabularNums: true, verticalSpacing: 8, horizontalSpacing: 12, fz: 15 } },
  Tabs: { defaultProps: { variant: 'pills', radius: 'xl', keepMounted: false } },
  Text: { defaultProps: { textWrap: 'pretty' } },
  // a block, also where no style sheet is, so that names have a space between it and the text beside it
  VisuallyHidden: { styles: { root: { display: 'block' } } },
}

/** "Azulejo": cobalt on lime-white. Everything not set here is Mantine's default. */
export const theme = createTheme({
  colors: {
    brand: shades('#f1f5fe #dfeafe #c0d5fe #9bbafa #789ff3 #5280e8 #3465d8 #1b4ac2 #1139a2 #0a2a81'),
    /** For what cannot be undone. */
    danger: shades('#fff5f5 #ffe3e3 #ffc9c9 #ffa8a8 #ff8787 #ff6b6b #fa5252 #c92a2a #a51111 #8f0f0f'),
    // Mantine's greys of the dark scheme, tinted with the blue of the body
    dark: shades('#e7e9ee #b8bec9 #9aa1ae #6b7280 #3a404c #2b303a #20242c #1b1e25 #14161b #101217'),
  },
  primaryColor: 'brand',
  primaryShade: 7,
  defaultRadius: 'md',
  black: '#0b0d12',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    // with large text too, a long word fits on a phone
    sizes: {
      h1: { fontSize: 'clamp(1rem, 8.6vw, 1.75rem)', lineHeight: '1.2', fontWeight: '700' },
      h2: { fontSize: 'clamp(1rem, 8vw, 1.5rem)', lineHeight: '1.3', fontWeight: '700' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  shadows: { md: 'var(--shadow)' },
  cursorType: 'pointer',
  variantColorResolver(input) {
    const usual = defaultVariantColorsResolver(input)
    if (input.color !== 'danger' || input.variant === 'filled') return usual
    return { ...usual, color: 'var(--mantine-color-error)' }
  },
  components,
})

/** The colours of each scheme: those of Mantine that differ from what it computes, and the app's own. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-brand-text': 'var(--accent)',
    '--mantine-color-danger-text': 'var(--mantine-color-error)',
  },
  light: {
    '--mantine-color-body': '#fbfaf7',
    '--mantine-color-text': '#0b0d12',
    '--mantine-color-dimmed': '#5b6270',
    '--mantine-color-anchor': '#1b4ac2',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d8d4ca',
    '--mantine-color-brand-light': '#e8effe',
    '--mantine-color-brand-light-hover': '#dfeafe',
    '--mantine-color-brand-light-color': '#1b4ac2',
    '--surface': '#ffffff',
    '--surface-sunken': '#f3f1ea',
    '--skeleton': '#e6e3da',
    '--surface-unread': '#f6f9ff',
    '--line': '#e6e2d8',
    '--field-border': '#868b95',
    '--accent': '#1b4ac2',
    '--on-accent': '#ffffff',
    '--accent-soft': '#e8effe',
    '--shadow': '0 1px 2px rgb(11 13 18 / 4%), 0 8px 24px rgb(11 13 18 / 6%)',
  },
  dark: {
    '--mantine-color-body': '#14161b',
    '--mantine-color-text': '#e7e9ee',
    '--mantine-color-dimmed': '#9aa1ae',
    '--mantine-color-anchor': '#9bbafa',
    '--mantine-color-placeholder': '#8a919e',
    '--mantine-color-error': '#ff9c94',
    '--mantine-color-default': '#20242c',
    '--mantine-color-default-hover': '#282d37',
    '--mantine-color-default-border': '#3a404c',
    '--mantine-color-brand-light': '#1d2a4a',
    '--mantine-color-brand-light-hover': '#25345c',
    '--mantine-color-brand-light-color': '#9bbafa',
    '--surface': '#1b1e25',
    '--surface-sunken': '#101217',
    '--skeleton': '#2b303a',
    '--surface-unread': '#1d2330',
    '--line': '#2b303a',
    '--field-border': '#737b89',
    '--accent': '#9bbafa',
    '--on-accent': '#101217',
    '--accent-soft': '#1d2a4a',
    '--shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 8px 24px rgb(0 0 0 / 30%)',
  },
})
