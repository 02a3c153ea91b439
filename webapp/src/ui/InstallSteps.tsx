import { Flex } from '@mantine/core'
import { IconShare2, IconSquarePlus } from '@tabler/icons-react'
import { settings } from '../i18n/settings'

const icons = [IconShare2, IconSquarePlus]

/** How the app comes on the home screen of an iPhone or iPad. */
export function InstallSteps() {
  return (
    <Flex component="ol" gap={8} direction="column">
      {settings.install.steps.map(({ name, text }, index) => {
        const Icon = icons[index]!
        return (
          <Flex key={name} component="li" align="center" gap={12} mih={44}>
            <Icon size={24} aria-hidden color="var(--accent)" style={{ flex: 'none' }} />
            {text}
          </Flex>
        )
      })}
    </Flex>
  )
}
