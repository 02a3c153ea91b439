import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { settings } from '../../i18n/settings'

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[]

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      size="md"
      aria-label={settings.theme}
      value={colorScheme}
      onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      data={schemes.map((value) => ({ value, label: settings.themes[value] }))}
    />
  )
}
