import { IconChevronLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './BackLink.module.css'

/** Leads to the page above, which it names. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={classes.back}>
    <IconChevronLeft size={20} aria-hidden />
    <span dir="auto">{children}</span>
  </a>
))
