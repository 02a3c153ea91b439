import type { components } from './gen/sininho.js'
import type { components as WaitlistComponents } from './gen/waitlist.js'

type Schemas = components['schemas']
type WaitlistSchemas = WaitlistComponents['schemas']

// The contracts' schemas under their own names. One that is missing here is components['schemas'][NAME], or of the
// waiting list WaitlistComponents['schemas'][NAME].

/** A long-lived credential of a person, for scripts and the command line. */
export type AccessToken = Schemas['AccessToken']
/** What makes an access token. */
export type AccessTokenInput = Schemas['AccessTokenInput']
/** An access token as it is made: its secret is shown once. */
export type AccessTokenSecret = Schemas['AccessTokenSecret']
/** A publisher's credential. */
export type ApiKey = Schemas['ApiKey']
/** What makes an API key. */
export type ApiKeyInput = Schemas['ApiKeyInput']
/** An API key as it is made: its secret is shown once. */
export type ApiKeySecret = Schemas['ApiKeySecret']
/** Who is calling, and which ways there are to sign in. */
export type Auth = Schemas['Auth']
/** How loud a subscription is. */
export type Bell = Schemas['Bell']
/** What channels are grouped by. */
export type Category = Schemas['Category']
/** What publishers own and subscribers follow. */
export type Channel = Schemas['Channel']
/** The numbers of a channel's deliveries over time. */
export type ChannelDeliveries = Schemas['ChannelDeliveries']
/** What makes a channel. */
export type ChannelInput = Schemas['ChannelInput']
/** What changes a channel. */
export type ChannelPatch = Schemas['ChannelPatch']
/** A channel, as a notification names it. */
export type ChannelRef = Schemas['ChannelRef']
/** The order of a list of channels. */
export type ChannelSort = Schemas['ChannelSort']
/** What became of a notification on the devices it was for, in numbers. */
export type Deliveries = Schemas['Deliveries']
/** A browser or phone that is pushed. */
export type Device = Schemas['Device']
/** What registers a device. */
export type DeviceInput = Schemas['DeviceInput']
/** Whether a push to try out was taken. */
export type DeviceTest = Schemas['DeviceTest']
/** One event on its way to an event endpoint. */
export type EventDelivery = Schemas['EventDelivery']
/** An address of a publisher's that is told what happens. */
export type EventEndpoint = Schemas['EventEndpoint']
/** What makes an event endpoint. */
export type EventEndpointInput = Schemas['EventEndpointInput']
/** What changes an event endpoint. */
export type EventEndpointPatch = Schemas['EventEndpointPatch']
/** An event endpoint as it is made: what it signs with is shown once. */
export type EventEndpointSecret = Schemas['EventEndpointSecret']
/** What an event tells of. */
export type EventType = Schemas['EventType']
/** One fault of an input. */
export type FieldError = Schemas['FieldError']
/** Whether a notification rings where only what is important does. */
export type Importance = Schemas['Importance']
/** Who is to be invited from the waiting list: the next, or those of addresses. */
export type InvitationInput = WaitlistSchemas['InvitationInput']
/** A person's part in a publisher. */
export type Member = Schemas['Member']
/** What a publisher publishes to a channel. */
export type Notification = Schemas['Notification']
/** What makes a notification. */
export type NotificationInput = Schemas['NotificationInput']
/** A page of notifications. */
export type NotificationPage = Schemas['NotificationPage']
/** What corrects a notification. */
export type NotificationPatch = Schemas['NotificationPatch']
/** How far a person has come in setting up. */
export type Onboarding = Schemas['Onboarding']
/** What a step of setting up saves. */
export type OnboardingInput = Schemas['OnboardingInput']
/** A step of setting up. */
export type OnboardingStep = Schemas['OnboardingStep']
/** An error's body, which becomes an ApiError. */
export type Problem = Schemas['Problem']
/** Who owns channels. */
export type Publisher = Schemas['Publisher']
/** What makes a publisher. */
export type PublisherInput = Schemas['PublisherInput']
/** What changes a publisher. */
export type PublisherPatch = Schemas['PublisherPatch']
/** What is posted to an event endpoint: the contract's `Event`, which would hide the platform's. */
export type SininhoEvent = Schemas['Event']
/** A person who is signed in. */
export type Subscriber = Schemas['Subscriber']
/** A channel that a person follows, and how. */
export type Subscription = Schemas['Subscription']
/** What changes a subscription. */
export type SubscriptionPatch = Schemas['SubscriptionPatch']
/** An entry of the waiting list, as operators see it. */
export type WaitlistEntry = WaitlistSchemas['WaitlistEntry']
/** What joins the waiting list. */
export type WaitlistEntryInput = WaitlistSchemas['WaitlistEntryInput']
/** What the holder of an e-mailed link sees of their place in the waiting list. */
export type WaitlistPlace = WaitlistSchemas['WaitlistPlace']
/** How far an entry of the waiting list has come. */
export type WaitlistStatus = WaitlistSchemas['WaitlistStatus']
/** An address that publishes what is posted to it. */
export type Webhook = Schemas['Webhook']
/** One thing that a webhook received, and its outcome. */
export type WebhookEvent = Schemas['WebhookEvent']
/** What makes a webhook. */
export type WebhookInput = Schemas['WebhookInput']
/** What changes a webhook. */
export type WebhookPatch = Schemas['WebhookPatch']
/** What a webhook answers to who posts to it. */
export type WebhookReceipt = Schemas['WebhookReceipt']
/** A webhook as it is made: what to sign with is shown once. */
export type WebhookSecret = Schemas['WebhookSecret']
