import { expect, it } from 'vitest'
import { faultsOfJoining, invitationOf, isOver } from './joining'

const link = { uses: '', days: '7', approval: false }

it('makes a link that ends after days, for a number of people or any', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  expect(invitationOf(link, now)).toEqual({ expiresAt: '2026-03-08T12:00:00.000Z', approval: false })
  expect(invitationOf({ uses: '30', days: '', approval: true })).toEqual({ maxUses: 30, approval: true })
})

it('sends one to an address, and leaves to the server when it ends', () => {
  expect(invitationOf({ email: ' bia@example.com ', uses: '', days: '', approval: false })).toEqual({
    email: 'bia@example.com',
    approval: false,
  })
  expect(faultsOfJoining({ ...link, email: ' ' })).toHaveProperty('email')
})

it.each(['0', '1.5', '1000001', 'dez', '-1'])('takes no %j as a number of people', (uses) =>
  expect(faultsOfJoining({ ...link, uses })).toHaveProperty('uses'),
)

it.each(['', '1', '1000000'])('takes %j as a number of people', (uses) =>
  expect(faultsOfJoining({ ...link, uses })).toEqual({}),
)

it('is over once it is used up, or its time has come', () => {
  const invitation = { id: '1', approval: false, uses: 1, createdAt: '2026-03-01T12:00:00Z' }
  const now = new Date('2026-03-02T12:00:00Z')
  expect(isOver(invitation, now)).toBe(false)
  expect(isOver({ ...invitation, maxUses: 2, expiresAt: '2026-03-02T12:00:01Z' }, now)).toBe(false)
  expect(isOver({ ...invitation, maxUses: 1 }, now)).toBe(true)
  expect(isOver({ ...invitation, expiresAt: '2026-03-02T12:00:00Z' }, now)).toBe(true)
})
