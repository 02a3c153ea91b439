import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { testEnv } from './testing/factories'

beforeEach(() => vi.resetModules())
afterEach(() => {
  document.body.replaceChildren()
  Object.assign(globalThis, { SININHO_ENV: testEnv })
})

it('needs a root element', async () => {
  await expect(import('./main')).rejects.toThrow('No root element found')
})

it('shows what is wrong with the settings, and nothing else', async () => {
  document.body.innerHTML = '<div id="root"></div>'
  Object.assign(globalThis, { SININHO_ENV: { ...testEnv, POSTHOG_API_KEY: '' } })
  await import('./main')
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Invalid env provided' })).toBeInTheDocument())
  expect(screen.getByRole('listitem')).toHaveTextContent(/^POSTHOG_API_KEY: /)
})
