import {
  MantineContext,
  MantineThemeProvider,
  localStorageColorSchemeManager,
  useProviderColorScheme,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme'

const manager = localStorageColorSchemeManager()
const getRootElement = () => document.documentElement

/** MantineProvider without the code that computes CSS variables in the browser: theme.css has them. */
export function Mantine({ children }: { children: ReactNode }) {
  const scheme = useProviderColorScheme({
    manager,
    defaultColorScheme: 'auto',
    getRootElement,
    forceColorScheme: undefined,
  })
  return (
    <MantineContext
      value={{
        ...scheme,
        getRootElement,
        classNamesPrefix: 'mantine',
        cssVariablesSelector: ':root',
        withStaticClasses: true,
      }}
    >
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}
