import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { state } from '../../testing/server'

class Speech extends EventTarget {
  constructor(readonly text: string) {
    super()
  }
}
const spoken: Speech[] = []

beforeEach(() => {
  followMetro()
  state.feed = [item({ title: 'Linha azul', body: 'Circulação retomada.' })]
  spoken.length = 0
  vi.stubGlobal('SpeechSynthesisUtterance', Speech)
})
afterEach(() => vi.unstubAllGlobals())

it('a notification is read aloud, until it ends or is stopped', async () => {
  const cancel = () => spoken.at(-1)?.dispatchEvent(new Event('end'))
  vi.stubGlobal('speechSynthesis', { speak: (speech: Speech) => spoken.push(speech), cancel })
  const { user } = renderApp('/feed')
  await user.click(await screen.findByRole('button', { name: /Linha azul/ }))
  await user.click(await screen.findByRole('button', { name: 'Ouvir' }))
  expect(spoken).toMatchObject([{ text: 'Linha azul. Circulação retomada.', lang: 'pt-PT' }])
  await user.click(screen.getByRole('button', { name: 'Parar' }))
  expect(await screen.findByRole('button', { name: 'Ouvir' })).toBeInTheDocument()
})

it('nothing is offered where the browser cannot speak', async () => {
  const { user } = renderApp('/feed')
  await user.click(await screen.findByRole('button', { name: /Linha azul/ }))
  await waitFor(() => expect(document.querySelector('[data-unfolded]')).not.toBeNull())
  expect(screen.queryByRole('button', { name: 'Ouvir' })).toBeNull()
})
