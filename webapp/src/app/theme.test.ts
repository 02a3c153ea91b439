import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { expect, it } from 'vitest'
import { theme } from './theme'
import css from './theme.css?raw'

const declared = new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))

const asked: Record<string, string> = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme)).variables
const usual: Record<string, string> = defaultCssVariablesResolver(DEFAULT_THEME).variables

it.each(
  Object.entries(asked).filter(
    ([name, value]) => usual[name] !== value && /color-(brand|dark|black)|cursor|font-family$|heading-font/.test(name),
  ),
)('theme.css has %s as Mantine computes it', (name, value) => {
  expect(declared.get(name)?.replaceAll("'", '"')).toBe(value)
})

it('has the text colour of the specification', () => {
  expect(css).toMatch(/\[data-mantine-color-scheme='light'\] \{[^}]*--mantine-color-text: #0b0d12;/)
})
