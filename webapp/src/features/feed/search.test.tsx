import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { fillParts, followMetro, titles } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'

beforeEach(() => {
  followMetro()
  fillParts()
})

it('the search is kept in the address, and finds nothing with a way on', async () => {
  const { user, history } = renderApp('/feed')
  await user.type(await screen.findByRole('searchbox', { name: 'Procurar nas notificações' }), 'urgente')
  await waitFor(() => expect(titles()).toEqual(['Urgente'].map((title) => expect.stringContaining(title))))
  expect(history.location.href).toBe('/feed?q=urgente')
  await user.type(screen.getByRole('searchbox', { name: 'Procurar nas notificações' }), 'x')
  expect(await screen.findByText('Nada encontrado')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Marcar tudo como lido' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Limpar a procura' }))
  await waitFor(() => expect(titles().length).toBeGreaterThan(1))
  expect(history.location.href).toBe('/feed')
})

it('counts what it found, marks it, and says that this is all', async () => {
  renderApp('/feed?q=urg')
  expect(await screen.findByText('1 resultado')).toBeInTheDocument()
  expect(await screen.findByText('Urg', { selector: 'mark' })).toBeInTheDocument()
  expect(screen.getByText('São todos os resultados.')).toBeInTheDocument()
})
