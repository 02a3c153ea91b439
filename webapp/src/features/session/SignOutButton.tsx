import { Button } from '@mantine/core'
import { IconLogout2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLeave } from '../../data/useLeave'
import { pt } from '../../i18n/pt'
import { signOutMutation } from './mutations'

export function SignOutButton() {
  const leave = useLeave()
  const signOut = useMutation(signOutMutation())
  return (
    <Button
      variant="default"
      size="md"
      leftSection={<IconLogout2 size={20} />}
      loading={signOut.isPending}
      onClick={() => signOut.mutate(undefined, { onSuccess: () => void leave() })}
    >
      {pt.settings.signOut}
    </Button>
  )
}
