import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { settings } from '../../i18n/settings'
import { Choice } from '../../ui/Choice'

const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon }

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Choice
      label={settings.theme}
      options={settings.themes}
      icons={icons}
      value={colorScheme}
      onChange={setColorScheme}
    />
  )
}
