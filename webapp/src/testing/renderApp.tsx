import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Providers } from '../app/Providers'
import { createApp } from '../app/create-app'

/** Renders the whole app at a path. Queries are not retried, so that errors show at once. */
export function renderApp(path: string) {
  const history = createMemoryHistory({ initialEntries: [path] })
  const app = createApp(history)
  app.queryClient.setDefaultOptions({ ...app.queryClient.getDefaultOptions(), queries: { retry: false } })
  const view = render(<Providers {...app} />)
  return { ...view, ...app, history, user: userEvent.setup() }
}
