import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { channel, subscriber } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { state } from '../testing/server'

describe('the first screen', () => {
  it('introduces the product and shows popular channels', async () => {
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

  it('of a fresh installation omits empty sections', async () => {
    const { queryClient } = renderApp('/')
    expect(await screen.findByRole('heading', { name: 'Tem algo para dizer?' })).toBeInTheDocument()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByRole('region', { name: 'O que há para seguir' })).not.toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Canais populares' })).not.toBeInTheDocument()
  })
})

describe('without a connection, a screen that was never loaded', () => {
  afterEach(() => onlineManager.setOnline(true))

  it.each([
    ['/', { level: 2, name: 'Canais populares' }, 'Metro de Lisboa'],
    ['/channels/metro/linhas', { level: 1, name: 'Sem ligação.' }, 'de Metro'],
    ['/onboarding', { level: 1, name: 'Sem ligação.' }, 'Escolha assuntos e sugerimos canais para seguir.'],
  ])('says so, and comes once there is one: %s', async (path, heading, later) => {
    state.subscriber = subscriber()
    state.channels = [channel()]
    const { history } = renderApp('/demo')
    await screen.findByRole('link', { name: 'Preferências' })
    act(() => {
      onlineManager.setOnline(false)
      history.push(path)
    })
    expect(await screen.findByRole('heading', heading)).toBeInTheDocument()
    expect((await screen.findAllByText('Assim que a ligação voltar, isto carrega sozinho.'))[0]).toBeInTheDocument()
    act(() => onlineManager.setOnline(true))
    expect(await screen.findByText(later)).toBeInTheDocument()
  })
})

it('moves the focus to the heading of the next screen', async () => {
  const { user } = renderApp('/')
  await user.click(await screen.findByRole('link', { name: 'Ver demonstração' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Demonstração' })).toHaveFocus()
})
