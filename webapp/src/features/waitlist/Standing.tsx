import { Flex, Paper, Stack, Text, Title } from '@mantine/core'
import type { WaitlistPlace } from '@sininho/sdk'
import type { ReactNode } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { PageTitle } from '../../ui/PageTitle'
import ui from '../../ui/ui.module.css'
import { ShareLink } from './ShareLink'
import classes from './waitlist.module.css'

/** The position of a confirmed entry, and the referral link that improves it. */
export function Standing({ place, children }: { place: WaitlistPlace; children: ReactNode }) {
  const { email, name, position, total, referrals, referralUrl } = place
  return (
    <Stack gap={24} maw={560} mx="auto" py="4vh 32px">
      <Flex component="section" gap={16} ta="center" direction="column">
        <PageTitle size="h2">{name ? waitlist.place.titleOf(name) : waitlist.place.title}</PageTitle>
        {position !== undefined && (
          <Flex component="p" align="center" gap={4} direction="column">
            <span className={classes.position}>{waitlist.place.position(position)}</span>
            <Text span fz={19} fw={550}>
              {waitlist.place.total(total)}
            </Text>
          </Flex>
        )}
        <Text c="dimmed">{waitlist.place.confirmed(email)}</Text>
      </Flex>
      <Paper component="section" withBorder shadow="md" radius={16} className={ui.card} aria-labelledby="referrals">
        <Stack>
          <Title id="referrals" order={2} fz={19} fw={700}>
            {waitlist.place.share}
          </Title>
          <Text c="dimmed">{waitlist.place.shareText}</Text>
          <ShareLink url={referralUrl} />
          <Text fw={650}>{waitlist.place.referrals(referrals)}</Text>
        </Stack>
      </Paper>
      {children}
    </Stack>
  )
}
