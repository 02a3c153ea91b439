import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconCategory,
  IconFlag,
  IconGavel,
  IconHistory,
  IconHourglass,
  IconUserPlus,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { admin } from '../../i18n/admin'
import type { adminPages } from '../../lib/pages'
import { AuditLog } from './AuditLog'
import { Categories } from './Categories'
import { FailingEndpoints } from './FailingEndpoints'
import { Health } from './Health'
import { Moderation } from './Moderation'
import { Reports } from './Reports'
import { Requests } from './Requests'
import { ServerSettings } from './ServerSettings'
import { Waitlist } from './Waitlist'
import type { ScreenProps } from './search'

type Screen = {
  /** What follows /admin/ in the address. */
  name: (typeof adminPages)[number]
  Icon: Icon
  title: string
  /** The name in the navigation, unless it is the title. */
  short?: string
  Content: ComponentType<ScreenProps>
}

export const screens: readonly Screen[] = [
  { name: '', Icon: IconActivity, title: admin.titles.health, Content: Health },
  { name: 'reports', Icon: IconFlag, title: admin.titles.reports, Content: Reports },
  {
    name: 'requests',
    Icon: IconUserPlus,
    title: admin.titles.requests,
    short: admin.short.requests,
    Content: Requests,
  },
  { name: 'moderation', Icon: IconGavel, title: admin.titles.moderation, Content: Moderation },
  { name: 'audit', Icon: IconHistory, title: admin.titles.audit, short: admin.short.audit, Content: AuditLog },
  { name: 'categories', Icon: IconCategory, title: admin.titles.categories, Content: Categories },
  { name: 'waitlist', Icon: IconHourglass, title: admin.titles.waitlist, Content: Waitlist },
  {
    name: 'endpoints',
    Icon: IconWebhook,
    title: admin.titles.endpoints,
    short: admin.short.endpoints,
    Content: FailingEndpoints,
  },
  { name: 'settings', Icon: IconAdjustments, title: admin.titles.settings, Content: ServerSettings },
]
