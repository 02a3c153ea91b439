import { Flex, Text, VisuallyHidden } from '@mantine/core'
import {
  IconBell,
  IconHome,
  IconLayoutGrid,
  IconLogin2,
  IconPencil,
  IconPlayerPlay,
  IconSettings,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { subscriptionsQuery, unreadTotal } from '../../data/subscriptions'
import { usePublishes, useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { OfflineBar } from '../../ui/OfflineBar'
import classes from './Shell.module.css'

/** The frame of every screen: navigation, and a bar while there is no connection. */
export function Shell({ children }: { children: ReactNode }) {
  const plain = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.plain) })
  return (
    <>
      <a className={classes.skip} href="#conteudo">
        {words.skipToContent}
      </a>
      <OfflineBar />
      <div className={plain ? classes.plain : classes.shell}>
        {plain ? <Header /> : <Rail />}
        <main id="conteudo" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </>
  )
}

function Logo() {
  return (
    <Flex component="span" display="inline-flex" align="center" gap={12}>
      <img src="/favicon.svg" alt="" width={32} height={32} />
      <Text span fz={20} fw={750} lts="-0.02em" c="var(--mantine-color-text)">
        {words.appName}
      </Text>
    </Flex>
  )
}

function Header() {
  const guided = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.guided) })
  return (
    <header className={classes.header}>
      <Link to="/" className={classes.brand}>
        <Logo />
      </Link>
      {!guided && <Links />}
    </header>
  )
}

function Links() {
  const signedIn = useSignedIn()
  return (
    <nav aria-label={words.nav.label} className={classes.links}>
      <Link to="/channels" className={`${classes.link} ${signedIn ? classes.wide : ''}`}>
        {words.nav.channels}
      </Link>
      {!signedIn && (
        <Link to="/demo" className={`${classes.link} ${classes.wide}`}>
          {words.nav.demo}
        </Link>
      )}
      <Link to={signedIn ? '/feed' : '/login'} className={classes.link}>
        {signedIn ? words.nav.feed : words.nav.signIn}
        {signedIn && <UnreadBadge />}
      </Link>
    </nav>
  )
}

function Rail() {
  const signedIn = useSignedIn()
  const publishes = usePublishes()
  return (
    <nav aria-label={words.nav.label} className={classes.rail}>
      <Link to="/" className={classes.brand} aria-label={words.appName}>
        <Logo />
      </Link>
      <ul className={classes.items}>
        {signedIn ? (
          <Item to="/feed" icon={<IconBell />} label={words.nav.feed} badge={<UnreadBadge />} />
        ) : (
          <Item to="/" icon={<IconHome />} label={words.nav.home} />
        )}
        <Item to="/channels" icon={<IconLayoutGrid />} label={words.nav.channels} />
        {publishes && <Item to="/studio" icon={<IconPencil />} label={words.nav.publish} />}
        {signedIn ? (
          <Item to="/settings" icon={<IconSettings />} label={words.nav.settings} />
        ) : (
          <>
            <Item to="/demo" icon={<IconPlayerPlay />} label={words.nav.demo} />
            <Item to="/login" icon={<IconLogin2 />} label={words.nav.signIn} />
          </>
        )}
      </ul>
    </nav>
  )
}

type ItemProps = {
  to: '/' | '/feed' | '/channels' | '/studio' | '/demo' | '/settings' | '/login'
  icon: ReactNode
  label: string
  badge?: ReactNode
}

function Item({ to, icon, label, badge }: ItemProps) {
  const within = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.within === to) })
  return (
    <li>
      <Link
        to={to}
        className={classes.item}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        {...(within && { 'aria-current': 'page' })}
      >
        <span className={classes.itemIcon}>{icon}</span>
        <span className={classes.itemLabel}>{label}</span>
        {badge}
      </Link>
    </li>
  )
}

function UnreadBadge() {
  const { data = [] } = useQuery(subscriptionsQuery())
  const unread = unreadTotal(data)
  if (unread === 0) return null
  return (
    <span className={classes.badge}>
      <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
      <VisuallyHidden>{words.nav.unread(unread)}</VisuallyHidden>
    </span>
  )
}
