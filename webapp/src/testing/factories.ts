import type {
  Category,
  Channel,
  ChannelRef,
  Device,
  Draft,
  DraftContent,
  Notification,
  ReceivedChannelInvitation,
  ReceivedMembershipInvitation,
  Session,
  Subscriber,
  Subscription,
  Template,
  WaitlistPlace,
} from '@sininho/sdk'
import type { AccessToken } from '../data/access-tokens'

export const testEnv = {
  DEMO_WEBHOOK_URL: 'http://localhost:8080/api/v1/webhooks/channels/demo-address',
  FIREBASE_API_KEY: 'api-key',
  FIREBASE_AUTH_DOMAIN: 'sininho.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'sininho',
  FIREBASE_MESSAGING_SENDER_ID: '1234567890',
  FIREBASE_APP_ID: '1:1234567890:web:abc',
  FIREBASE_STORAGE_BUCKET: 'sininho.appspot.com',
  FIREBASE_VAPID_PUBLIC_KEY: 'vapid-key',
  POSTHOG_API_KEY: 'phc_test',
  POSTHOG_HOST: 'http://localhost:9999',
  WAITLIST: 'open',
}

let count = 0
export const id = () => `0199c2f4-7a10-7c3e-9f3d-${String(++count).padStart(12, '0')}`

export const category = (over: Partial<Category> = {}): Category => ({
  id: id(),
  slug: 'transportes',
  name: 'Transportes',
  position: 0,
  channelCount: 2,
  ...over,
})

export const channel = (over: Partial<Channel> = {}): Channel => ({
  id: id(),
  publisherSlug: 'metro',
  slug: 'linhas',
  name: 'Metro de Lisboa',
  description: 'Estado das linhas',
  publisher: { id: id(), slug: 'metro', name: 'Metro' },
  category: { id: id(), slug: 'transportes', name: 'Transportes' },
  visibility: 'public',
  subscriberCount: 120,
  notificationCount: 64,
  createdAt: '2026-01-01T00:00:00Z',
  ...over,
})

export const ref = ({ id, publisherSlug, slug, name, icon, iconProxy, visibility }: Channel): ChannelRef => ({
  id,
  publisherSlug,
  slug,
  name,
  icon,
  iconProxy,
  ...(visibility === 'private' && { private: true }),
})

let changes = 0

export const draft = (content: DraftContent, of = id()): Draft => ({
  id: of,
  channelId: 'c1',
  content,
  createdAt: '2026-03-01T12:00:00Z',
  updatedAt: `2026-03-01T12:00:00.${String(++changes).padStart(6, '0')}Z`,
})

export const template = (name: string, content: DraftContent, fields: string[] = []): Template => ({
  id: id(),
  name,
  content,
  fields,
  createdAt: '2026-03-01T12:00:00Z',
  updatedAt: '2026-03-01T12:00:00Z',
})

export const notification = (over: Partial<Notification> = {}): Notification => ({
  id: id(),
  channel: { id: 'c1', publisherSlug: 'metro', slug: 'linhas', name: 'Metro de Lisboa' },
  title: 'Linha azul reaberta',
  body: 'A circulação foi retomada.',
  importance: 'normal',
  publishedAt: new Date().toISOString(),
  ...over,
})

export const subscription = (of: ChannelRef, over: Partial<Subscription> = {}): Subscription => ({
  channel: of,
  bell: 'all',
  followedAt: '2026-01-01T00:00:00Z',
  unreadCount: 0,
  ...over,
})

export const subscriber = (over: Partial<Subscriber> = {}): Subscriber => ({
  id: id(),
  anonymous: false,
  email: 'ana@example.com',
  name: 'Ana Marques',
  locale: 'pt',
  timezone: 'Europe/Lisbon',
  bellDefault: 'all',
  digestAt: '18:00',
  onboarded: true,
  createdAt: '2026-01-01T00:00:00Z',
  ...over,
})

/** Somebody who follows without an account. */
export const anonymous = (over: Partial<Subscriber> = {}): Subscriber => {
  const { email: _none, ...rest } = subscriber({ anonymous: true, name: '', onboarded: false, ...over })
  return rest
}

export const accessToken = (over: Partial<AccessToken> = {}): AccessToken => ({
  id: id(),
  name: 'sininho em portatil',
  hint: '9f2c',
  scopes: ['read', 'publish', 'manage'],
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2999-01-01T00:00:00Z',
  ...over,
})

export const session = (over: Partial<Session> = {}): Session => ({
  id: id(),
  browser: 'Firefox',
  system: 'Linux',
  network: '203.0.113.7',
  current: false,
  createdAt: '2026-01-01T00:00:00Z',
  lastSeenAt: new Date().toISOString(),
  expiresAt: '2999-01-01T00:00:00Z',
  ...over,
})

export const invitation = (over: Partial<ReceivedMembershipInvitation> = {}): ReceivedMembershipInvitation => ({
  id: id(),
  publisher: {
    id: id(),
    slug: 'metro',
    name: 'Metro de Lisboa',
    description: 'Avisos das linhas',
    channelCount: 2,
    createdAt: '2026-01-01T00:00:00Z',
  },
  role: 'editor',
  state: 'pending',
  invitedBy: { name: 'Rui Costa', email: 'rui@example.com' },
  invitedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-15T12:00:00Z',
  ...over,
})

export const channelInvitation = (
  of: Channel,
  over: Partial<ReceivedChannelInvitation> = {},
): ReceivedChannelInvitation => ({
  channel: ref(of),
  publisher: { ...of.publisher, description: '', channelCount: 0, createdAt: '2026-01-01T00:00:00Z' },
  description: of.description,
  approval: false,
  ...over,
})

export const device = (over: Partial<Device> = {}): Device => ({
  id: id(),
  installationId: 'installation-1',
  kind: 'token',
  platform: 'web',
  name: 'Chrome no Linux',
  current: false,
  createdAt: '2026-01-01T00:00:00Z',
  lastSeenAt: new Date().toISOString(),
  ringsSince: '2026-01-01T00:00:00Z',
  ...over,
})

export const place = (over: Partial<WaitlistPlace> = {}): WaitlistPlace => ({
  email: 'ana@example.com',
  status: 'waiting',
  position: 12,
  total: 340,
  referrals: 3,
  referralCode: 'k7p2m9xq',
  referralUrl: 'http://localhost:8080/?ref=k7p2m9xq',
  createdAt: '2026-01-01T00:00:00Z',
  confirmedAt: '2026-01-01T00:05:00Z',
  ...over,
})
