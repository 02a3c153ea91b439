import type { components } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'
import { pagedQuery } from './paged'

export type ChannelMember = components['schemas']['ChannelMember']
export type ChannelInvitation = components['schemas']['ChannelInvitation']
export type ChannelInvitationInput = components['schemas']['ChannelInvitationInput']

/** Who is in a private channel, has asked to join it, or is invited to. */
export const channelMemberKeys = {
  all: (channel: ChannelAddress) => ['studio', 'members', formatChannel(channel)] as const,
}

const channelPath = '/channels/{publisherSlug}/{channelSlug}'

/** The members of a private channel, the latest first. */
export const channelMembersQuery = (channel: ChannelAddress) =>
  pagedQuery([...channelMemberKeys.all(channel), 'member'], (query, signal) =>
    call(api().GET(`${channelPath}/members`, { params: { path: paramsOf(channel), query }, signal })),
  )

/** Those who have asked to join. */
export const joinRequestsQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: [...channelMemberKeys.all(channel), 'requested'],
    queryFn: ({ signal }) =>
      everything((page) => {
        const query = { ...page, state: 'requested' } as const
        return call(api().GET(`${channelPath}/members`, { params: { path: paramsOf(channel), query }, signal }))
      }),
  })

/** The invitations to a private channel, without their links. */
export const sentInvitationsQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: [...channelMemberKeys.all(channel), 'invitations'],
    queryFn: ({ signal }) =>
      everything((query) =>
        call(api().GET(`${channelPath}/invitations`, { params: { path: paramsOf(channel), query }, signal })),
      ),
  })
