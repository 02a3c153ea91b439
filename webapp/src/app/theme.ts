import { createTheme } from '@mantine/core'

/** Minimum height of touch targets: 44 px, more with a larger text size. */
const target = '2.75rem'

/** "Azulejo": cobalt on lime-white. Everything not set here is Mantine's default; theme.css has what follows from it. */
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
    Input: { vars: () => ({ wrapper: { '--input-height': target, '--input-bd': 'var(--field-border)' } }) },
  },
})
