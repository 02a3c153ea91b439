import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { channel } from '../testing/factories'
import { renderApp } from '../testing/renderApp'
import { state } from '../testing/server'

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

it('moves the focus to the heading of the next screen', async () => {
  const { user } = renderApp('/')
  await user.click(await screen.findByRole('link', { name: 'Ver demonstração' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Demonstração' })).toHaveFocus()
})
