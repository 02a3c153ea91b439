import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { pt } from '../../i18n/pt'

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[]

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      size="md"
      aria-label={pt.settings.theme}
      value={colorScheme}
      onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      data={schemes.map((value) => ({ value, label: pt.settings.themes[value] }))}
    />
  )
}
