import { Flex, Text } from '@mantine/core'
import { words } from '../../i18n/words'

export function Logo() {
  return (
    <Flex component="span" display="inline-flex" align="center" gap={12}>
      <img src="/favicon.svg" alt="" width={32} height={32} />
      <Text span fz={20} fw={750} lts="-0.02em" c="var(--mantine-color-text)">
        {words.appName}
      </Text>
    </Flex>
  )
}
