import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { AppRouter } from './router'
import { cssVariables, theme } from './theme'

/** Mantine without transitions in tests, which would have to wait for them. */
const env = import.meta.env.MODE === 'test' ? 'test' : 'default'

export function Providers({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" env={env}>
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>
  )
}
