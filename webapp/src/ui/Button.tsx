import type { ComponentProps, ElementType, ReactNode } from 'react'
import classes from './Button.module.css'

type Look = {
  /** The main action is filled and others are not; subtle ones have no edge, and light ones are one of many. */
  variant?: 'filled' | 'default' | 'light' | 'subtle' | undefined
  /** For what cannot be undone. */
  danger?: boolean
  size?: 'sm' | 'md' | 'lg' | undefined
  fullWidth?: boolean
  /** Shows that the action is on its way. Until it ends, it cannot be started again. */
  loading?: boolean | undefined
  leftSection?: ReactNode
  /** Renders the element, as a link whose target is to be checked by type. */
  renderRoot?: (props: object) => ReactNode
}

type Props<Root extends ElementType> = Look & { component?: Root } & Omit<
    ComponentProps<Root>,
    keyof Look | 'component'
  >

/** A button, or a link that looks like one. */
export function Button<Root extends ElementType = 'button'>(props: Props<Root>): ReactNode
export function Button({
  component: Root = 'button',
  variant = 'filled',
  danger,
  size = 'sm',
  fullWidth,
  loading,
  leftSection,
  renderRoot,
  className = '',
  disabled,
  children,
  ...rest
}: Props<ElementType>) {
  const props = {
    ...(Root === 'button' && !renderRoot && { type: 'button', disabled: disabled || loading }),
    ...rest,
    className: `${classes.button} ${className}`,
    'data-variant': variant,
    'data-size': size,
    'data-danger': danger || undefined,
    'data-full': fullWidth || undefined,
    'data-loading': loading || undefined,
    children: (
      <>
        {leftSection}
        <span>{children}</span>
      </>
    ),
  }
  return renderRoot ? renderRoot(props) : <Root {...props} />
}
