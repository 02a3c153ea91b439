import type { Device } from '@sininho/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { loadedAhead } from './timing'

export const deviceKeys = { all: ['devices'] as const }

export const devicesQuery = () =>
  queryOptions({
    queryKey: deviceKeys.all,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/devices', { params: { query }, signal }))),
    staleTime: loadedAhead,
  })

/** Shows the changed devices at once. Returns a function that reverts it. */
export async function showDevices(client: QueryClient, change: (devices: Device[]) => Device[]) {
  await client.cancelQueries({ queryKey: deviceKeys.all })
  const before = client.getQueryData<Device[]>(deviceKeys.all)
  client.setQueryData<Device[]>(deviceKeys.all, (devices) => devices && change(devices))
  return () => client.setQueryData(deviceKeys.all, before)
}
