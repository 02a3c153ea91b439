import { Button } from '@mantine/core'
import { IconLogout2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLeave } from '../../data/useLeave'
import { words } from '../../i18n/words'
import { signOutMutation } from './mutations'

export function SignOutButton() {
  const leave = useLeave()
  const signOut = useMutation(signOutMutation())
  return (
    <Button
      size="sm"
      variant="subtle"
      justify="flex-start"
      leftSection={<IconLogout2 />}
      loading={signOut.isPending}
      onClick={() => signOut.mutate(undefined, { onSuccess: () => void leave() })}
    >
      {words.settings.signOut}
    </Button>
  )
}
