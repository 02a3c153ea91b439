import { MantineProvider } from '@mantine/core'
import { RouterContextProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { channel } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { state } from '../testing/server'
import { ShellError } from './fallbacks'
import { theme } from './theme'

describe('the first screen', () => {
  it('says what it is, and shows popular channels', async () => {
    state.channels = [channel()]
    renderApp('/')
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Siga o que importa. Receba na hora.' }),
    ).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Começar' })).toHaveAttribute('href', '/login')
    expect(screen.getByRole('link', { name: 'Ver demonstração' })).toHaveAttribute('href', '/demo')
    expect(await screen.findByRole('link', { name: /Metro de Lisboa/ })).toHaveAttribute(
      'href',
      '/channels/metro/linhas',
    )
  })
})

describe('an unknown path', () => {
  it.each(['/nada', '/channels/a/b/c', '/feed/x'])('%s shows the not-found screen', async (path) => {
    const { user, history } = renderApp(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Você Está Perdido??' })).toBeInTheDocument()
    expect(screen.getByText('404')).toBeInTheDocument()
    expect(screen.getByText(/contacte o suporte/)).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Leve-me para casa' }))
    expect(await screen.findByRole('heading', { level: 1, name: /Siga o que importa/ })).toBeInTheDocument()
    expect(history.location.pathname).toBe('/')
  })
})

it('moves the focus to the heading of the next screen', async () => {
  const { user } = renderApp('/')
  await user.click(await screen.findByRole('link', { name: 'Ver demonstração' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Demonstração' })).toHaveFocus()
})

it('has the router’s constants', () => {
  const { router } = renderApp('/')
  // what is not set is the library's own: 50 ms, 1000 ms, 500 ms, 30 s, 5 min
  expect(router.options).toMatchObject({
    defaultPreload: 'intent',
    defaultPreloadDelay: 50,
    defaultPendingMs: 1000,
    defaultPendingMinMs: 500,
    scrollRestoration: true,
  })
  expect(router.options.defaultPreloadStaleTime ?? 30_000).toBe(30_000)
  expect(router.options.defaultGcTime ?? 5 * 60_000).toBe(5 * 60_000)
})

it('has the theme’s constants', () => {
  expect(theme).toMatchObject({ primaryColor: 'brand', primaryShade: 7, defaultRadius: 'md', black: '#0b0d12' })
})

it('shows the shell’s fallback when the shell itself fails', async () => {
  const { router } = renderApp('/')
  render(
    <RouterContextProvider router={router}>
      <MantineProvider>
        <ShellError error={new Error('partiu-se')} reset={() => {}} />
      </MantineProvider>
    </RouterContextProvider>,
  )
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Show Error' })).toHaveAttribute('aria-expanded', 'false')
})
