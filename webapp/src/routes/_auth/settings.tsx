import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { tokensQuery } from '../../data/access-tokens'
import { devicesQuery } from '../../data/devices'
import { identitiesQuery } from '../../data/identities'
import { meQuery } from '../../data/me'
import { authQuery } from '../../data/session'
import { sessionsQuery } from '../../data/sessions'
import { DeviceList } from '../../features/push/DeviceList'
import { PushPanel } from '../../features/push/PushPanel'
import { Profile } from '../../features/session/Profile'
import { AccessTokens } from '../../features/settings/AccessTokens'
import { BellDefault } from '../../features/settings/BellDefault'
import { Contents } from '../../features/settings/Contents'
import { DeleteAccount } from '../../features/settings/DeleteAccount'
import { ExportButton } from '../../features/settings/ExportButton'
import { Identities } from '../../features/settings/Identities'
import { QuietHours } from '../../features/settings/QuietHours'
import { Section } from '../../features/settings/Section'
import { Sessions } from '../../features/settings/Sessions'
import { ThemeChoice } from '../../features/settings/ThemeChoice'
import { devices, push } from '../../i18n/push'
import { pt } from '../../i18n/pt'
import { settings } from '../../i18n/settings'
import { Column } from '../../ui/Column'
import { useWide } from '../../ui/useWide'
import { PageTitle } from '../../ui/PageTitle'

const AdminLink = lazy(() => import('../../features/admin/AdminLink'))

export const Route = createFileRoute('/_auth/settings')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(meQuery())
    void queryClient.prefetchQuery(devicesQuery())
    void queryClient.prefetchQuery(identitiesQuery())
    void queryClient.prefetchQuery(sessionsQuery())
    void queryClient.prefetchQuery(tokensQuery())
  },
  component: Settings,
})

const sections = [
  { hash: 'perfil', title: pt.settings.profile, content: <Profile /> },
  { hash: 'notificacoes', title: push.title, content: <PushPanel /> },
  { hash: 'dispositivos', title: devices.title, content: <DeviceList /> },
  { hash: 'silencio', title: settings.quiet.title, content: <QuietHours /> },
  { hash: 'sino', title: settings.bellDefault.title, content: <BellDefault /> },
  { hash: 'aparencia', title: pt.settings.theme, content: <ThemeChoice /> },
  { hash: 'entrar', title: settings.identities.title, content: <Identities /> },
  { hash: 'sessoes', title: settings.sessions.title, content: <Sessions /> },
  { hash: 'tokens', title: settings.tokens.title, content: <AccessTokens /> },
  { hash: 'dados', title: settings.account.data, content: <ExportButton /> },
  { hash: 'apagar', title: settings.account.remove, content: <DeleteAccount /> },
]

function Settings() {
  const operator = useQuery(authQuery()).data?.operator
  const wide = useWide()
  return (
    <Column aside={wide && <Contents sections={sections} />}>
      <PageTitle
        actions={
          operator && (
            <Suspense>
              <AdminLink />
            </Suspense>
          )
        }
      >
        {pt.settings.title}
      </PageTitle>
      {sections.map(({ hash, title, content }) => (
        <Section key={hash} hash={hash} title={title}>
          {content}
        </Section>
      ))}
    </Column>
  )
}
