import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>

/** A link to a page of this app that looks like a button. */
export const LinkButton = createLink((props: Props) => <Button component="a" {...props} />)
