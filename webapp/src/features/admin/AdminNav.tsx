import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { admin } from '../../i18n/admin'
import { BackToSettings } from '../../ui/BackToSettings'
import sidebar from '../../ui/sidebar.module.css'
import classes from './admin.module.css'
import { screens } from './screens'

/** The operators' screens: a list beside the current one or, without room for it, a line that scrolls to it. */
export function AdminNav({ current }: { current: string }) {
  const nav = useRef<HTMLElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!nav.current || !link.current) return
    const { offsetLeft, offsetWidth } = link.current
    nav.current.scrollLeft = offsetLeft - (nav.current.offsetWidth - offsetWidth) / 2
  }, [current])
  return (
    <Stack className={classes.list}>
      <BackToSettings />
      <Text fz={28} fw={700} lh={1.2} className={classes.title}>
        {admin.nav}
      </Text>
      <nav ref={nav} aria-label={admin.nav} className={classes.nav}>
        {screens.map(({ name, Icon, title, short = title }) => (
          <Link
            key={name}
            ref={name === current ? link : undefined}
            to="/admin/$"
            params={{ _splat: name }}
            className={`${sidebar.item} ${classes.link}`}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon aria-hidden />
            {short}
          </Link>
        ))}
      </nav>
    </Stack>
  )
}
