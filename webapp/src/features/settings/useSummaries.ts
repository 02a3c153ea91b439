import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { devicesQuery } from '../../data/devices'
import { meQuery } from '../../data/me'
import { settings } from '../../i18n/settings'
import { isHere } from '../../lib/push/registration'
import { pushSupport } from '../../lib/push/support'
import type { SectionName } from './section'
import { isInstalled, useOffer } from './useInstall'

const { now } = settings

/** What some sections are set to. */
export function useSummaries({ enabled }: { enabled: boolean }): Partial<Record<SectionName, string>> {
  const { data: me } = useQuery({ ...meQuery(), enabled })
  const { data: devices } = useQuery({ ...devicesQuery(), enabled })
  const { colorScheme } = useMantineColorScheme()
  const offer = useOffer()
  const theme = now.theme[colorScheme]
  const on = pushSupport() === 'granted' && devices?.some(isHere)
  return {
    profile: me?.email ?? me?.name,
    notifications: devices && (on ? now.pushOn : now.pushOff),
    devices: devices && now.devices(devices.length),
    app: isInstalled() ? now.installed(theme) : offer ? settings.install.title : theme,
  }
}
