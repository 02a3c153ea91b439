import { createFileRoute } from '@tanstack/react-router'
import { DeviceList } from '../../features/push/DeviceList'
import { PushPanel } from '../../features/push/PushPanel'
import { devicesQuery } from '../../features/push/queries'
import { Profile } from '../../features/session/Profile'
import { SignOutButton } from '../../features/session/SignOutButton'
import { meQuery } from '../../features/session/queries'
import { Section } from '../../features/settings/Section'
import { ThemeChoice } from '../../features/settings/ThemeChoice'
import { pt } from '../../i18n/pt'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/_auth/settings')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(meQuery())
    void queryClient.prefetchQuery(devicesQuery())
  },
  component: Settings,
})

function Settings() {
  return (
    <Column>
      <PageTitle>{pt.settings.title}</PageTitle>
      <Section title={pt.settings.profile}>
        <Profile />
      </Section>
      <Section title={pt.push.title}>
        <PushPanel />
      </Section>
      <Section title={pt.devices.title}>
        <DeviceList />
      </Section>
      <Section title={pt.settings.theme}>
        <ThemeChoice />
      </Section>
      <Section title={pt.settings.account}>
        <SignOutButton />
      </Section>
    </Column>
  )
}
