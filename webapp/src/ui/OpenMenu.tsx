import { Menu } from '@mantine/core'
import type { RefObject } from 'react'
import { Anchored } from './Anchored'
import type { MenuItem } from './Menu'

type Props = {
  /** The button that opened it, to which the focus returns. */
  of: RefObject<HTMLButtonElement | null>
  label: string
  items: readonly MenuItem[]
  onClose: () => void
}

/** The menu of a button, open while it is rendered. An item acts after the focus has returned, and may move it on. */
export default function OpenMenu({ of, label, items, onClose }: Props) {
  const close = () => {
    of.current?.focus()
    onClose()
  }
  return (
    <Menu
      opened
      styles={{ dropdown: { maxWidth: 'calc(100vw - 10px)' }, itemLabel: { whiteSpace: 'normal' } }}
      onChange={close}
      closeOnItemClick={false}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Anchored of={of} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {items.map((item, index) => (
          <Menu.Item
            key={item.label}
            leftSection={item.icon}
            data-autofocus={index === 0 || undefined}
            onClick={() => {
              close()
              item.onClick()
            }}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
