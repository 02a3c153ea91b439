import { expect, it } from 'vitest'
import { screens } from '../features/admin/screens'
import { adminPages, settingsPages } from '../lib/pages'
import { sections } from '../routes/-settings'

const names = (pages: readonly { name: string }[]) => pages.map(({ name }) => name)

it('the addresses that the server knows are those of the screens', () => {
  expect(names(sections)).toEqual(settingsPages)
  expect(names(screens)).toEqual(adminPages)
})
