import { Button, Flex, Text } from '@mantine/core'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { IconCheck, IconServerOff } from '@tabler/icons-react'
import { words } from '../i18n/words'
import { Picture } from './Picture'
import type { Arrival, Toaster } from './toast'
import classes from './ui.module.css'

const teal = 'teal.9'
const red = 'red.9'

/** Closes by itself, but not while it is hovered or focused. */
function show(toast: NotificationData & { autoClose: number }) {
  const id = toast.id ?? crypto.randomUUID()
  const data: NotificationData = { closeButtonProps: { 'aria-label': words.toast.dismiss }, ...toast, id }
  const hold = (autoClose: number | false) => notifications.update({ ...data, ...handlers, autoClose })
  const handlers = { onFocusCapture: () => hold(false), onBlurCapture: () => hold(toast.autoClose) }
  notifications.show({ ...data, ...handlers })
}

const action = { position: 'top-center', autoClose: 5000 } as const

/** Loaded by toaster.ts, never directly. Sets the position of toasts; the rest is Mantine's default. */
export default Notifications

export const toasts: Toaster = {
  success,
  networkFailure: (message) =>
    show({ ...action, color: red, icon: <IconServerOff size={20} />, title: words.toast.networkFailure, message }),
  failure: (message) => show({ ...action, color: red, message }),
  arrival,
}

function success(message: string, undo?: () => void) {
  const id = crypto.randomUUID()
  const takeBack = () => {
    notifications.hide(id)
    undo?.()
  }
  show({
    ...action,
    id,
    role: 'status',
    color: teal,
    icon: <IconCheck size={20} />,
    title: words.toast.success,
    message: undo ? (
      <Flex component="span" align="center" justify="space-between" gap={8}>
        {message}
        <Button variant="subtle" my={-10} px={8} flex="none" onClick={takeBack}>
          {words.toast.undo}
        </Button>
      </Flex>
    ) : (
      message
    ),
  })
}

function arrival({ id, title, body, image, icon, link }: Arrival) {
  show({
    id: `arrival-${id}`,
    role: 'status',
    position: 'bottom-right',
    autoClose: 8000,
    title,
    icon: icon && <Picture src={icon} width={50} height={50} />,
    classNames: { root: classes.arrival, icon: classes.place },
    message: (
      <>
        {body && (
          <Text span inherit lineClamp={3} style={{ whiteSpace: 'pre-line' }}>
            {body}
          </Text>
        )}
        {image && <Picture className={classes.cut} src={image} width={80} height={50} />}
        {link}
      </>
    ),
  })
}
