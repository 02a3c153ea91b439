import type { ReportInput } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { api, call } from '../lib/api'
import { type ChannelAddress, paramsOf } from '../lib/paths'

export type Reported = {
  channel: ChannelAddress
  /** A notification of the channel; without it, the channel itself. */
  notificationId?: string
}

/** Reports a channel or a notification to the operators. */
export const reportMutation = ({ channel, notificationId: id }: Reported) =>
  mutationOptions({
    mutationFn: (body: ReportInput) => {
      const path = paramsOf(channel)
      return id === undefined
        ? call(api().PUT('/channels/{publisherSlug}/{channelSlug}/report', { params: { path }, body }))
        : call(
            api().PUT('/channels/{publisherSlug}/{channelSlug}/notifications/{id}/report', {
              params: { path: { ...path, id } },
              body,
            }),
          )
    },
    meta: { successMessage: words.report.sent },
  })
