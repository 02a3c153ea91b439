import { Button } from '@mantine/core'
import { IconLogout2 } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { pt } from '../../i18n/pt'
import { signOutMutation } from './mutations'

export function SignOutButton() {
  const client = useQueryClient()
  const router = useRouter()
  const signOut = useMutation(signOutMutation())
  const leave = async () => {
    // nothing of this person may be seen by the next
    await router.navigate({ to: '/' })
    await client.resetQueries()
    await router.invalidate()
  }
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
