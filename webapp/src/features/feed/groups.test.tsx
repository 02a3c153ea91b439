import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { followMetro, item, titles } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

beforeEach(followMetro)

it('of many of one channel within an hour, the first few are whole and the others titles', async () => {
  const minutes = (ago: number) => new Date(Date.now() - ago * 60_000).toISOString()
  state.feed = Array.from({ length: 6 }, (_, index) =>
    item({ title: `Aviso ${index}`, body: `Texto ${index}`, publishedAt: minutes(index) }),
  )
  const { user } = renderApp('/feed')
  expect(await screen.findByText('Texto 0')).toBeInTheDocument()
  expect(titles()).toHaveLength(6)
  expect(screen.getByText('Texto 2')).toBeInTheDocument()
  expect(screen.queryByText('Texto 3')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Aviso 3/ }))
  expect(screen.getByText('Texto 3')).toBeInTheDocument()
})
