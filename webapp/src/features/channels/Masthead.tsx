import type { CSSProperties, ReactNode } from 'react'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Masthead.module.css'
import { ShareButton } from './ShareButton'
import { useTint } from './useTint'

type Props = {
  picture?: string
  name: string
  /** The page's address, to be shared. */
  path: string
  actions?: ReactNode
  /** Beside the button to share it. */
  report?: ReactNode
  children: ReactNode
}

/** The head of a channel's or publisher's page, below a cover in the colour of its picture. */
export function Masthead({ picture, name, path, actions, report, children }: Props) {
  const tint = useTint(picture, name)
  const colour = tint && ({ '--hue': tint.hue, '--saturation': `${tint.saturation * 100}%` } as CSSProperties)
  return (
    <header className={classes.masthead}>
      <div className={classes.cover} style={colour} data-tinted={Boolean(tint)} aria-hidden />
      <span className={classes.picture}>
        <ChannelIcon icon={picture} name={name} size={80} />
      </span>
      <div className={classes.text}>
        <PageTitle>{name}</PageTitle>
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
      <div className={classes.share}>
        <ShareButton title={name} path={path} />
        {report}
      </div>
    </header>
  )
}
