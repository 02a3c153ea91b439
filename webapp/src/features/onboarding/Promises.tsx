import { Flex } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { onboarding } from '../../i18n/onboarding'

/** What somebody who turns notifications on can count on. */
export const Promises = () => (
  <Flex component="ul" gap={12} direction="column">
    {onboarding.notifications.promises.map((promise) => (
      <Flex key={promise} component="li" gap={10}>
        <IconCheck size={20} color="var(--accent)" aria-hidden />
        {promise}
      </Flex>
    ))}
  </Flex>
)
