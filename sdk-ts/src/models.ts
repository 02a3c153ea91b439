import type { components } from './gen/sininho.js'
import type { components as WaitlistComponents } from './gen/waitlist.js'

type Schemas = components['schemas']
type WaitlistSchemas = WaitlistComponents['schemas']

// The contracts' schemas under their own names. A schema that is missing here is components['schemas'][NAME], or, for
// the waiting list, WaitlistComponents['schemas'][NAME].

/** A person's long-lived credential for scripts and the command line. */
export type AccessToken = Schemas['AccessToken']
/** Input for creating an access token. */
export type AccessTokenInput = Schemas['AccessTokenInput']
/** A newly created access token with its secret, which is returned only once. */
export type AccessTokenSecret = Schemas['AccessTokenSecret']
/** A person's account, as operators see it. */
export type Account = Schemas['Account']
/** A publisher's credential. */
export type ApiKey = Schemas['ApiKey']
/** Input for creating an API key. */
export type ApiKeyInput = Schemas['ApiKeyInput']
/** A newly created API key with its secret, which is returned only once. */
export type ApiKeySecret = Schemas['ApiKeySecret']
/** Who changed what, in the audit log. */
export type AuditEntry = Schemas['AuditEntry']
/** The caller's identity and the available sign-in methods. */
export type Auth = Schemas['Auth']
/** Which notifications of a subscription are pushed. */
export type Bell = Schemas['Bell']
/** A group of channels. */
export type Category = Schemas['Category']
/** A publisher's stream of notifications, which subscribers follow. */
export type Channel = Schemas['Channel']
/** How many follow a channel, and how many of them a notification would ring. */
export type ChannelAudience = Schemas['ChannelAudience']
/** Delivery counts of a channel over time. */
export type ChannelDeliveries = Schemas['ChannelDeliveries']
/** The number of a channel's followers by day. */
export type ChannelFollowers = Schemas['ChannelFollowers']
/** Input for creating a channel. */
export type ChannelInput = Schemas['ChannelInput']
/** Changes to a channel. */
export type ChannelPatch = Schemas['ChannelPatch']
/** The channel of a notification, abbreviated. */
export type ChannelRef = Schemas['ChannelRef']
/** The order of a list of channels. */
export type ChannelSort = Schemas['ChannelSort']
/** Counts of a notification's deliveries by outcome. */
export type Deliveries = Schemas['Deliveries']
/** Counts of the deliveries of several notifications by outcome. */
export type DeliveryCounts = Schemas['DeliveryCounts']
/** A browser or phone that receives pushes. */
export type Device = Schemas['Device']
/** Input for registering a device. */
export type DeviceInput = Schemas['DeviceInput']
/** The outcome of a test push. */
export type DeviceTest = Schemas['DeviceTest']
/** What a person has begun to write. */
export type Draft = Schemas['Draft']
/** The content of a draft or a template: what a notification has, so far. */
export type DraftContent = Schemas['DraftContent']
/** Input for saving a draft. */
export type DraftInput = Schemas['DraftInput']
/** What became of a challenge to an event endpoint. */
export type EventChallenge = Schemas['EventChallenge']
/** One event on its way to an event endpoint. */
export type EventDelivery = Schemas['EventDelivery']
/** A publisher's URL to which events are posted. */
export type EventEndpoint = Schemas['EventEndpoint']
/** Input for creating an event endpoint. */
export type EventEndpointInput = Schemas['EventEndpointInput']
/** Changes to an event endpoint. */
export type EventEndpointPatch = Schemas['EventEndpointPatch']
/** A newly created event endpoint with its signing secret, which is returned only once. */
export type EventEndpointSecret = Schemas['EventEndpointSecret']
/** The kind of an event. */
export type EventType = Schemas['EventType']
/** An event endpoint that accepted none of the latest events. */
export type FailingEventEndpoint = Schemas['FailingEventEndpoint']
/** The secret address of a person's feed, without its secret. */
export type FeedAddress = Schemas['FeedAddress']
/** The new secret address of a person's feed in each format, which is returned only once. */
export type FeedAddressSecret = Schemas['FeedAddressSecret']
/** One fault of an input. */
export type FieldError = Schemas['FieldError']
/** A day and how many followers a channel had at its end. */
export type FollowerDay = Schemas['FollowerDay']
/** How an installation was doing in a period, for operators. */
export type Health = Schemas['Health']
/** A part of the period, with its figures. */
export type HealthPart = Schemas['HealthPart']
/** Whether a notification is also pushed to subscribers whose bell is set to important ones only. */
export type Importance = Schemas['Importance']
/** Selects the waiting-list entries to invite: the next ones, or those of given addresses. */
export type InvitationInput = WaitlistSchemas['InvitationInput']
/** A person's membership and role in a publisher. */
export type Member = Schemas['Member']
/** An invitation to be a member of a publisher, as its owners see it. */
export type MembershipInvitation = Schemas['MembershipInvitation']
/** Input for inviting someone to be a member of a publisher. */
export type MembershipInvitationInput = Schemas['MembershipInvitationInput']
/** A message that a publisher publishes to a channel. */
export type Notification = Schemas['Notification']
/** Input for publishing a notification. */
export type NotificationInput = Schemas['NotificationInput']
/** A page of notifications. */
export type NotificationPage = Schemas['NotificationPage']
/** A correction of a notification. */
export type NotificationPatch = Schemas['NotificationPatch']
/** A person's progress through onboarding. */
export type Onboarding = Schemas['Onboarding']
/** Input for saving an onboarding step. */
export type OnboardingInput = Schemas['OnboardingInput']
/** A step of onboarding. */
export type OnboardingStep = Schemas['OnboardingStep']
/** A passkey that a person signs in with. */
export type Passkey = Schemas['Passkey']
/** A picture that a publisher has uploaded. */
export type Picture = Schemas['Picture']
/** When the content of a template is published again and again, or made a draft. */
export type Plan = Schemas['Plan']
/** Input for a plan. */
export type PlanInput = Schemas['PlanInput']
/** The body of an error response, which the client throws as an ApiError. */
export type Problem = Schemas['Problem']
/** An owner of channels. */
export type Publisher = Schemas['Publisher']
/** Input for creating a publisher. */
export type PublisherInput = Schemas['PublisherInput']
/** Changes to a publisher. */
export type PublisherPatch = Schemas['PublisherPatch']
/** What a person signs in with. */
export type Identity = Schemas['Identity']
/** A way to sign in that the installation offers. */
export type SignInMethod = Schemas['SignInMethod']
/** A browser in which the person is signed in. */
export type Session = Schemas['SessionInfo']
/** A report about a channel or a notification, as operators see it. */
export type Report = Schemas['Report']
/** A kind of reason for a report. */
export type ReportCategory = Schemas['ReportCategory']
/** Input for reporting a channel or a notification to the operators. */
export type ReportInput = Schemas['ReportInput']
/** A person's request for a publisher, where operators approve each. */
export type PublisherRequest = Schemas['PublisherRequest']
/** Input for asking the operators for a publisher. */
export type PublisherRequestInput = Schemas['PublisherRequestInput']
/** A setting in force, without its value if it is a secret. */
export type Setting = Schemas['Setting']
/** The body posted to an event endpoint. The contract calls it `Event`, a name that the platform already uses. */
export type SininhoEvent = Schemas['Event']
/** An invitation to a private channel, as the invited person sees it. */
export type ReceivedChannelInvitation = Schemas['ReceivedChannelInvitation']
/** An invitation to be a member of a publisher, as the invited person sees it. */
export type ReceivedMembershipInvitation = Schemas['ReceivedMembershipInvitation']
/** A signed-in person. */
export type Subscriber = Schemas['Subscriber']
/** A channel that a person follows, with the person's settings for it. */
export type Subscription = Schemas['Subscription']
/** Changes to a subscription. */
export type SubscriptionPatch = Schemas['SubscriptionPatch']
/** Why and since when a channel, a publisher or an account is suspended. */
export type Suspension = Schemas['Suspension']
/** How much a publisher stores. */
export type Storage = Schemas['Storage']
/** How much one of the publishers stores that store most. */
export type PublisherStorage = Schemas['PublisherStorage']
/** How much is stored, as operators see it. */
export type InstallationStorage = Schemas['InstallationStorage']
/** What is often said in a channel, with fields to fill in. */
export type Template = Schemas['Template']
/** Input for creating a template. */
export type TemplateInput = Schemas['TemplateInput']
/** Changes to a template. */
export type TemplatePatch = Schemas['TemplatePatch']
/** A waiting-list entry as operators see it. */
export type WaitlistEntry = WaitlistSchemas['WaitlistEntry']
/** Input for joining the waiting list. */
export type WaitlistEntryInput = WaitlistSchemas['WaitlistEntryInput']
/** A waiting-list entry as its owner sees it through the emailed link. */
export type WaitlistPlace = WaitlistSchemas['WaitlistPlace']
/** The state of a waiting-list entry. */
export type WaitlistStatus = WaitlistSchemas['WaitlistStatus']
/** An inbound address: what is posted to it is published to its channel. */
export type Webhook = Schemas['Webhook']
/** A payload that a webhook received, and its outcome. */
export type WebhookEvent = Schemas['WebhookEvent']
/** Input for creating a webhook. */
export type WebhookInput = Schemas['WebhookInput']
/** Changes to a webhook. */
export type WebhookPatch = Schemas['WebhookPatch']
/** The response of a webhook to a post. */
export type WebhookReceipt = Schemas['WebhookReceipt']
/** A newly created webhook with its signing secret, which is returned only once. */
export type WebhookSecret = Schemas['WebhookSecret']
/** A day of the week. */
export type Weekday = Schemas['Weekday']
