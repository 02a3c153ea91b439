import { useMantineColorScheme } from '@mantine/core'
import { settings } from '../../i18n/settings'
import { Choice } from '../../ui/Choice'

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return <Choice label={settings.theme} options={settings.themes} value={colorScheme} onChange={setColorScheme} />
}
