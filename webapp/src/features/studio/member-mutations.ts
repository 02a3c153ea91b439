import { mutationOptions } from '@tanstack/react-query'
import { type ChannelInvitationInput, channelMemberKeys } from '../../data/channel-members'
import { channelKeys } from '../../data/channels'
import { channelMembers } from '../../i18n/channel-members'
import { api, call } from '../../lib/api'
import { type ChannelAddress, paramsOf } from '../../lib/paths'

const channelPath = '/channels/{publisherSlug}/{channelSlug}'

const { requests, members, invitations } = channelMembers

/** The queries that change with the members: also the channel, which has their number. */
const changed = (channel: ChannelAddress) => [channelMemberKeys.all(channel), channelKeys.all]

export const approveMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().POST(`${channelPath}/members/{id}/approve`, { params: { path: { ...paramsOf(channel), id } } })),
    meta: { invalidates: changed(channel), successMessage: requests.approved },
  })

/** Removes a member, or refuses a request to join. */
export const removeChannelMemberMutation = (channel: ChannelAddress, of: 'member' | 'request') =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE(`${channelPath}/members/{id}`, { params: { path: { ...paramsOf(channel), id } } })),
    meta: { invalidates: changed(channel), successMessage: of === 'member' ? members.removed : requests.refused },
  })

export const inviteToChannelMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (body: ChannelInvitationInput) =>
      call(api().POST(`${channelPath}/invitations`, { params: { path: paramsOf(channel) }, body })),
    // the response contains the link, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [channelMemberKeys.all(channel)] },
  })

export const revokeChannelInvitationMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE(`${channelPath}/invitations/{id}`, { params: { path: { ...paramsOf(channel), id } } })),
    meta: { invalidates: [channelMemberKeys.all(channel)], successMessage: invitations.revoked },
  })
