import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { bytes } from '../../lib/storage'
import { DataTable } from './DataTable'

/** The size of the database, and the publishers that store most. */
export function StorageTable() {
  const { data } = useQuery(storageQuery())
  if (!data) return null
  const { title, database, columns, noQuota } = admin.health.storage
  return (
    <DataTable
      title={title}
      text={database(bytes(data.databaseBytes))}
      columns={columns}
      rows={data.largest.map(({ slug, usedBytes, quotaBytes }) => [
        slug,
        bytes(usedBytes),
        quotaBytes === undefined ? noQuota : bytes(quotaBytes),
      ])}
    />
  )
}
