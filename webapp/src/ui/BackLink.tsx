import { IconChevronLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './ui.module.css'

/** Leads to the page above, which it names. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={`${classes.link} ${classes.back}`}>
    <IconChevronLeft size={20} aria-hidden />
    <span dir="auto">{children}</span>
  </a>
))
