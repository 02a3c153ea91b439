export { Sininho, type SininhoOptions } from './sininho.js'
export {
  createMainClient,
  createWaitlistClient,
  unwrap,
  type ClientOptions,
  type MainClient,
  type WaitlistClient,
} from './client.js'
export { ApiError, NetworkError } from './errors.js'
export { streamChannel, streamFeed, type ChannelEvent, type FeedEvent, type StreamOptions } from './live.js'
export { Listing } from './listing.js'
export type { CallOptions, CreateOptions, ListOptions } from './services/call.js'
export type { ChannelListOptions, Channels } from './services/channels.js'
export type { Feed, FeedListOptions } from './services/feed.js'
export type { Connection, FollowOptions, Notifications } from './services/notifications.js'
export type { Publishers } from './services/publishers.js'
export type { Subscriptions } from './services/subscriptions.js'
export type { Webhooks } from './services/webhooks.js'
export { uploadPicture } from './picture.js'
export { paginate, type Page, type PageQuery } from './paginate.js'
export {
  signChallenge,
  verifyWebhook,
  WebhookError,
  type VerifyOptions,
  type WebhookFault,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhook.js'
export type { components, paths } from './gen/sininho.js'
export type { components as WaitlistComponents, paths as WaitlistPaths } from './gen/waitlist.js'
export type * from './models.js'
