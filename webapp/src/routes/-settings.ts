import {
  IconAppWindow,
  IconBell,
  IconDevices,
  IconFileExport,
  IconKey,
  IconShieldLock,
  IconSpeakerphone,
  IconUser,
} from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import { tokensQuery } from '../data/access-tokens'
import { devicesQuery } from '../data/devices'
import { feedAddressQuery } from '../data/feed-address'
import { identitiesQuery } from '../data/identities'
import { invitationsQuery } from '../data/invitations'
import { meQuery } from '../data/me'
import { myPublishersQuery } from '../data/publishers'
import { sessionsQuery } from '../data/sessions'
import { subscriptionsQuery } from '../data/subscriptions'
import type { Part, Section } from '../features/settings/section'
import { push } from '../i18n/push'
import { settings } from '../i18n/settings'
import { setup } from '../i18n/setup'

/** The sections for somebody without an account. */
export const sectionsWithout = (anonymous: boolean) =>
  anonymous ? sections.filter(({ name }) => !ofAccounts.includes(name)) : sections

const ofAccounts: readonly string[] = ['security', 'publishing', 'tokens']

type LoadedSection = Omit<Section, 'parts'> & {
  parts: readonly (Part & { Content: AsyncRouteComponent<object> })[]
  /** Begins to load what the section shows. */
  fetch?: (client: QueryClient) => unknown
}

/** The sections of the settings. The code of each, and its data, are loaded when it is opened. */
export const sections: readonly [LoadedSection, ...LoadedSection[]] = [
  {
    name: 'profile',
    Icon: IconUser,
    parts: [{ Content: lazyRouteComponent(() => import('../features/session/Profile'), 'Profile') }],
    fetch: (client) => client.prefetchQuery(meQuery()),
  },
  {
    name: 'notifications',
    Icon: IconBell,
    parts: [
      { title: push.title, Content: lazyRouteComponent(() => import('../features/push/PushPanel'), 'PushPanel') },
      {
        hash: 'silencio',
        title: settings.quiet.title,
        Content: lazyRouteComponent(() => import('../features/settings/QuietHours'), 'QuietHours'),
      },
      {
        hash: 'resumo',
        title: settings.digest.title,
        Content: lazyRouteComponent(() => import('../features/settings/Digest'), 'Digest'),
      },
      {
        hash: 'sino',
        title: settings.bellDefault.title,
        Content: lazyRouteComponent(() => import('../features/settings/BellDefault'), 'BellDefault'),
      },
    ],
    fetch: (client) => [
      client.prefetchQuery(devicesQuery()),
      client.prefetchQuery(meQuery()),
      client.prefetchQuery(subscriptionsQuery()),
    ],
  },
  {
    name: 'devices',
    Icon: IconDevices,
    parts: [{ Content: lazyRouteComponent(() => import('../features/push/DeviceList'), 'DeviceList') }],
    fetch: (client) => client.prefetchQuery(devicesQuery()),
  },
  {
    name: 'app',
    Icon: IconAppWindow,
    parts: [
      {
        title: settings.theme,
        Content: lazyRouteComponent(() => import('../features/settings/ThemeChoice'), 'ThemeChoice'),
      },
      { title: setup.text, Content: lazyRouteComponent(() => import('../features/settings/LargeText'), 'LargeText') },
      {
        hash: 'instalar',
        title: settings.install.title,
        Content: lazyRouteComponent(() => import('../features/settings/Install'), 'Install'),
      },
      {
        hash: 'preparar',
        title: setup.title,
        Content: lazyRouteComponent(() => import('../features/settings/SetupLink'), 'SetupLink'),
      },
    ],
  },
  {
    name: 'security',
    Icon: IconShieldLock,
    parts: [
      {
        title: settings.identities.title,
        Content: lazyRouteComponent(() => import('../features/settings/Identities'), 'Identities'),
      },
      {
        hash: 'sessoes',
        title: settings.sessions.title,
        Content: lazyRouteComponent(() => import('../features/settings/Sessions'), 'Sessions'),
      },
    ],
    fetch: (client) => [client.prefetchQuery(identitiesQuery()), client.prefetchQuery(sessionsQuery())],
  },
  {
    name: 'publishing',
    Icon: IconSpeakerphone,
    parts: [
      {
        blocks: true,
        Content: lazyRouteComponent(() => import('../features/membership/Memberships'), 'Memberships'),
      },
    ],
    fetch: (client) => [client.prefetchQuery(invitationsQuery()), client.prefetchQuery(myPublishersQuery())],
  },
  {
    name: 'tokens',
    Icon: IconKey,
    parts: [{ Content: lazyRouteComponent(() => import('../features/settings/AccessTokens'), 'AccessTokens') }],
    fetch: (client) => client.prefetchQuery(tokensQuery()),
  },
  {
    name: 'data',
    Icon: IconFileExport,
    parts: [
      {
        title: settings.account.copy,
        Content: lazyRouteComponent(() => import('../features/settings/ExportButton'), 'ExportButton'),
      },
      {
        hash: 'leitor',
        title: settings.feedAddress.title,
        Content: lazyRouteComponent(() => import('../features/settings/FeedAddress'), 'FeedAddress'),
      },
      {
        hash: 'apagar',
        title: settings.account.remove,
        Content: lazyRouteComponent(() => import('../features/settings/DeleteAccount'), 'DeleteAccount'),
      },
    ],
    fetch: (client) => client.prefetchQuery(feedAddressQuery()),
  },
]

/** Loads the code of a section, and begins to load its data. */
export async function open({ parts, fetch }: LoadedSection, client: QueryClient) {
  fetch?.(client)
  await Promise.all(parts.map(({ Content }) => Content.preload?.()))
}

/** Loads the code of all sections. */
export const loadAll = () =>
  Promise.all(sections.flatMap(({ parts }) => parts.map(({ Content }) => Content.preload?.())))
