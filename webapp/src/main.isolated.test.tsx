import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { testEnv } from './testing/factories'

beforeEach(() => vi.resetModules())
afterEach(() => {
  document.body.replaceChildren()
  Object.assign(globalThis, { SININHO_ENV: testEnv })
})

// two rows of the error catalogue; the others are in app/catalogue.test.tsx

it('root element missing at start-up: error “No root element found”', async () => {
  await expect(import('./main')).rejects.toThrow('No root element found')
})

it('missing or invalid configuration: “Invalid env provided”, and each variable with its problem', async () => {
  document.body.innerHTML = '<div id="root"></div>'
  Object.assign(globalThis, { SININHO_ENV: { ...testEnv, POSTHOG_API_KEY: '' } })
  await import('./main')
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Invalid env provided' })).toBeInTheDocument())
  expect(screen.getByRole('listitem')).toHaveTextContent(/^POSTHOG_API_KEY: /)
})
