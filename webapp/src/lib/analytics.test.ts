import type { CaptureResult } from 'posthog-js/dist/module.slim'
import { expect, it } from 'vitest'
import { pare, trackingRefused } from './analytics'

const captured = (over: Partial<CaptureResult>): CaptureResult => ({
  uuid: 'u1',
  event: 'channel_followed',
  properties: { token: 'phc_test', distinct_id: 'd1', $lib: 'web', channelId: 'c1' },
  ...over,
})
const passed = { token: 'phc_test', distinct_id: 'd1', $lib: 'web', channelId: 'c1', $geoip_disable: true, $ip: null }

it('lets an event of the catalogue pass with its ids, from nowhere', () => {
  const timestamp = new Date()
  expect(pare(captured({ timestamp }))).toEqual({
    uuid: 'u1',
    event: 'channel_followed',
    timestamp,
    properties: passed,
  })
})

it('removes the properties that the library adds now, and unknown ones', () => {
  const { properties } = captured({})
  const sent = pare(
    captured({
      $set: { email: 'ana@example.com' },
      $set_once: { $initial_current_url: 'https://sininho.example/waitlist/swt_x' },
      properties: {
        ...properties,
        $current_url: 'https://sininho.example/channels?q=segredo',
        $pathname: '/waitlist/swt_x',
        $referrer: 'https://mail.example/',
        $session_entry_url: 'https://sininho.example/login?invitation=swi_x',
        $title: 'Ana Marques',
        $raw_user_agent: 'Mozilla/5.0',
        $ip: '192.0.2.1',
        $geoip_disable: false,
        route: 'a property of another event',
        unheardOf: 'x',
      },
    }),
  )
  expect(Object.keys(sent ?? {}).toSorted()).toEqual(['event', 'properties', 'timestamp', 'uuid'])
  expect(sent?.properties).toEqual(passed)
})

it.each(['$pageview', '$identify', '$exception', 'notification_opened', 'toString'])('lets no %s pass', (event) => {
  expect(pare(captured({ event }))).toBeNull()
})

it.each([
  [{ doNotTrack: '1' }, true],
  [{ doNotTrack: null, globalPrivacyControl: true }, true],
  [{ doNotTrack: '0', globalPrivacyControl: false }, false],
  [{ doNotTrack: 'unspecified' }, false],
  [{ doNotTrack: null }, false],
])('%o refuses to be tracked: %s', (preferences, refused) => {
  expect(trackingRefused(preferences)).toBe(refused)
})
