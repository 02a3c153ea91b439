import { Stack } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { PageTitle } from '../../ui/PageTitle'
import { BackToList } from './BackToList'
import classes from './channels.module.css'
import { ShareButton } from './ShareButton'
import { useTint } from './useTint'

type Props = {
  picture?: string
  name: string
  /** The page's address, to be shared. */
  path: string
  /** The page is for members alone. */
  private?: boolean
  /** What can be done, below the text; without it, sharing is beside the picture. */
  actions?: ReactNode
  /** Beside the picture. */
  report?: ReactNode
  children: ReactNode
}

/** The head of a channel's or publisher's page, below a cover in the colour of its picture. */
export function Masthead({ picture, name, path, private: own, actions, report, children }: Props) {
  const tint = useTint(picture, name)
  const colour = tint && ({ '--hue': tint.hue, '--saturation': `${tint.saturation * 100}%` } as CSSProperties)
  const share = <ShareButton title={name} path={path} private={own} />
  return (
    <header className={classes.masthead}>
      <div className={classes.cover} style={colour} data-tinted={Boolean(tint)} aria-hidden />
      <BackToList />
      <span className={classes.picture}>
        <ChannelIcon icon={picture} name={name} size={80} main />
      </span>
      <Stack gap={6} mt={8} style={{ gridArea: 'text' }}>
        <PageTitle>{name}</PageTitle>
        {children}
      </Stack>
      <div className={classes.beside}>
        {report}
        {!actions && share}
      </div>
      {actions && (
        <div className={classes.actions}>
          {actions}
          {share}
        </div>
      )}
    </header>
  )
}
