import { Button, Text, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconPrinter } from '@tabler/icons-react'
import { QRCodeSVG } from 'qrcode.react'
import { studio } from '../../i18n/studio'
import { formatChannel, studioPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { BackLink } from '../../ui/BackLink'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { PageTitle } from '../../ui/PageTitle'
import classes from './poster.module.css'

const words = studio.poster

/** A sheet of A4 to hang up, with a code that leads to the channel. */
export default function Poster({ channel }: { channel: Channel }) {
  const address = new URL(`/channels/${formatChannel(channel)}`, location.origin).href
  return (
    <>
      <div className={classes.tools}>
        <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
        <PageTitle
          actions={
            <Button leftSection={<IconPrinter size={20} aria-hidden />} onClick={() => window.print()}>
              {words.print}
            </Button>
          }
        >
          {words.title}
        </PageTitle>
      </div>
      <article className={classes.sheet}>
        <ChannelIcon icon={iconOf(channel, 'portrait')} name={channel.name} size={88} main />
        <Title order={2} fz={40} ta="center" textWrap="balance" dir="auto">
          {channel.name}
        </Title>
        <Text fz={20} dir="auto">
          {words.by(channel.publisher.name)}
        </Text>
        <Text fz={24} fw={600} ta="center" textWrap="balance">
          {words.lead}
        </Text>
        <QRCodeSVG value={address} size={300} level="M" marginSize={2} title={words.code(address)} />
        <ol className={classes.steps}>
          {words.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Text fz={18}>{words.without}</Text>
        <Text fz={16} className={classes.address}>
          {address.replace(/^https?:\/\//, '')}
        </Text>
      </article>
    </>
  )
}
