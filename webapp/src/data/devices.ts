import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

export const pushKeys = { devices: ['push', 'devices'] as const }

export const devicesQuery = () =>
  queryOptions({
    queryKey: pushKeys.devices,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/devices', { params: { query }, signal }))),
  })
