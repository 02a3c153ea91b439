import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** Minimum height of touch targets: 44 px, more with a larger text size. */
const target = '2.75rem'

/** "Azulejo": cobalt on lime-white. Everything not set here is Mantine's default. */
export const theme = createTheme({
  colors: {
    brand: [
      '#f1f5fe',
      '#dfeafe',
      '#c0d5fe',
      '#9bbafa',
      '#789ff3',
      '#5280e8',
      '#3465d8',
      '#1b4ac2',
      '#1139a2',
      '#0a2a81',
    ],
    // Mantine's greys of the dark scheme, tinted with the blue of the body
    dark: [
      '#e7e9ee',
      '#b8bec9',
      '#9aa1ae',
      '#6b7280',
      '#3a404c',
      '#2b303a',
      '#20242c',
      '#1b1e25',
      '#14161b',
      '#101217',
    ],
  },
  primaryColor: 'brand',
  primaryShade: 7,
  defaultRadius: 'md',
  black: '#0b0d12',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: {
    Button: { styles: { root: { minHeight: target } } },
    SegmentedControl: {
      vars: () => ({ root: { '--sc-padding': '0.7rem 0.5rem', '--sc-font-size': '0.9375rem' } }),
      styles: { root: { maxWidth: '100%' }, control: { flex: 'auto', minWidth: 0 } },
    },
    Input: { vars: () => ({ wrapper: { '--input-height': target } }) },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfaf7',
    '--mantine-color-text': '#0b0d12',
    '--mantine-color-dimmed': '#5b6270',
    '--mantine-color-anchor': '#1b4ac2',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d8d4ca',
    '--surface': '#ffffff',
    '--surface-sunken': '#f3f1ea',
    '--surface-unread': '#f3f6ff',
    '--line': '#e6e2d8',
    '--accent': '#1b4ac2',
    '--accent-soft': '#e8effe',
    '--mantine-color-brand-light': '#e8effe',
    '--mantine-color-brand-light-hover': '#dfeafe',
    '--mantine-color-brand-light-color': '#1b4ac2',
    '--unread': '#b87900',
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
    '--surface': '#1b1e25',
    '--surface-sunken': '#101217',
    '--surface-unread': '#1c2333',
    '--line': '#2b303a',
    '--accent': '#9bbafa',
    '--accent-soft': '#1d2a4a',
    '--mantine-color-brand-light': '#1d2a4a',
    '--mantine-color-brand-light-hover': '#25345c',
    '--mantine-color-brand-light-color': '#9bbafa',
    '--unread': '#f2b705',
    '--shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 8px 24px rgb(0 0 0 / 30%)',
  },
})
