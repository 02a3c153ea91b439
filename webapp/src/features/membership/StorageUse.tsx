import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../data/publishers'
import { memberships } from '../../i18n/memberships'
import { bytes, isAlmostFull } from '../../lib/storage'

/** How much a publisher stores, and what to do when that is almost all it may. */
export function StorageUse({ publisher }: { publisher: string }) {
  const { data } = useQuery(storageQuery(publisher))
  if (!data) return null
  const { usedBytes, quotaBytes } = data
  return (
    <Text variant="hint">
      {memberships.stored(bytes(usedBytes), quotaBytes === undefined ? undefined : bytes(quotaBytes))}
      {isAlmostFull(data) && ` ${memberships.almostFull}`}
    </Text>
  )
}
