import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Mantine } from './Mantine'
import type { AppRouter } from './router'

export function Providers({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Mantine>
        <RouterProvider router={router} />
      </Mantine>
    </QueryClientProvider>
  )
}
