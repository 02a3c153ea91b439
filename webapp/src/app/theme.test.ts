import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { expect, it } from 'vitest'
import { cssVariables, theme } from './theme'

it('has the text colour of the specification', () => {
  expect(cssVariables(mergeMantineTheme(DEFAULT_THEME, theme)).light['--mantine-color-text']).toBe('#0b0d12')
})
