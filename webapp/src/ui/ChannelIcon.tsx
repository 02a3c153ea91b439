import { type CSSProperties, useState } from 'react'
import { hueOf, initialsOf } from '../lib/pictures'
import classes from './ui.module.css'

type Props = {
  icon?: string
  name: string
  size?: number
  /** Is what the page is about, and painted with it. */
  main?: boolean
}

/** A channel's image, or its initials on a tint of its own. Decorative: the name is always beside it. */
export function ChannelIcon({ icon, name, size = 48, main = false }: Props) {
  const [broken, setBroken] = useState<string>()
  const style = { width: size, height: size, borderRadius: size / 4 }
  if (icon && icon !== broken) {
    return (
      <img
        className={classes.picture}
        style={style}
        src={icon}
        alt=""
        width={size}
        height={size}
        loading={main ? 'eager' : 'lazy'}
        decoding={main ? 'sync' : 'async'}
        referrerPolicy="no-referrer"
        onError={() => setBroken(icon)}
      />
    )
  }
  return (
    <span
      className={classes.initial}
      style={{ ...style, '--hue': hueOf(name), fontSize: size * 0.4 } as CSSProperties}
      aria-hidden
    >
      {initialsOf(name)}
    </span>
  )
}
