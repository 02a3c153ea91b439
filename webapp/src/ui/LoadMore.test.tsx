import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { LoadMore } from './LoadMore'

let see: (...inSight: boolean[]) => void

beforeEach(() =>
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        see = (...inSight) => act(() => notify(inSight.map((isIntersecting) => ({ isIntersecting }))))
      }
      observe() {}
      disconnect() {
        see = () => {}
      }
    },
  ),
)

const show = (query: { isFetchingNextPage?: boolean; isFetchNextPageError?: boolean } = {}) => {
  const fetchNextPage = vi.fn()
  const idle = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, fetchNextPage }
  render(
    <MantineProvider env="test">
      <LoadMore query={{ ...idle, ...query }} />
    </MantineProvider>,
  )
  return fetchNextPage
}

it('loads when it is reached, also if earlier changes are reported together', () => {
  const onLoad = show()
  see(false)
  expect(onLoad).not.toHaveBeenCalled()
  see(false, true)
  expect(onLoad).toHaveBeenCalledOnce()
})

it('loads by its button', async () => {
  const onLoad = show()
  await userEvent.click(screen.getByRole('button', { name: 'Carregar mais' }))
  expect(onLoad).toHaveBeenCalledOnce()
})

it('does not by itself while it loads, nor after a failure', async () => {
  const loading = show({ isFetchingNextPage: true })
  see?.(true)
  expect(loading).not.toHaveBeenCalled()
  const failed = show({ isFetchNextPageError: true })
  see?.(true)
  expect(failed).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(failed).toHaveBeenCalledOnce()
})
