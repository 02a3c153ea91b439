import { Alert, Flex, Text } from '@mantine/core'
import type { Publisher } from '@sininho/sdk'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { avatarOf } from '../../lib/pictures'
import { Description } from './Description'
import { Masthead } from './Masthead'
import { Website } from './Website'

export function PublisherHeader({ publisher }: { publisher: Publisher }) {
  const { slug, name, description, channelCount, subscriberCount, suspension } = publisher
  return (
    <Masthead picture={avatarOf(publisher, 'portrait')} name={name} path={`/channels/${slug}`}>
      {suspension && (
        <Alert color="danger" c="var(--mantine-color-text)">
          {discovery.publisher.suspended(suspension.reason)}
        </Alert>
      )}
      <Flex component="p" wrap="wrap" gap="0 16px" c="dimmed">
        <Figure>{words.channels.found(channelCount)}</Figure>
        {Boolean(subscriberCount) && <Figure>{words.channels.followers(subscriberCount ?? 0)}</Figure>}
      </Flex>
      <Description>{description}</Description>
      <Website publisher={publisher} />
    </Masthead>
  )
}

/** What is counted, in which a number at the beginning stands out. */
function Figure({ children }: { children: string }) {
  const [number = ''] = /^\d[\d\s.,]*/u.exec(children) ?? []
  return (
    <span>
      <Text component="strong" inherit fw={650} c="var(--mantine-color-text)">
        {number}
      </Text>
      {children.slice(number.length)}
    </span>
  )
}
