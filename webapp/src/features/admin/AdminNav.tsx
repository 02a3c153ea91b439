import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { admin } from '../../i18n/admin'
import { screens } from './screens'
import classes from './admin.module.css'

/** The operators' screens. On phones they are in a line that scrolls, to the current one. */
export function AdminNav({ current }: { current: string }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - (nav.current.offsetWidth - link.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={nav} aria-label={admin.nav} className={classes.nav}>
      {screens.map(({ name, title, short = title }) => (
        <Link
          key={name}
          to="/admin/$"
          params={{ _splat: name }}
          className={classes.link}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {short}
        </Link>
      ))}
    </nav>
  )
}
