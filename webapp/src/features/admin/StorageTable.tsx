import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { bytes } from '../../lib/storage'
import shared from './admin.module.css'

/** The size of the database, and the publishers that store most. */
export function StorageTable() {
  const { data } = useQuery(storageQuery())
  if (!data) return null
  const { title, database, columns, noQuota } = admin.health.storage
  const [name, stored, quota] = columns
  return (
    <div className={shared.panel}>
      <h2 className={shared.heading}>{title}</h2>
      <p className={shared.text}>{database(bytes(data.databaseBytes))}</p>
      {data.largest.length > 0 && (
        <table className={`${shared.table} ${shared.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col" className={shared.number}>
                {stored}
              </th>
              <th scope="col" className={shared.number}>
                {quota}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.largest.map(({ slug, usedBytes, quotaBytes }) => (
              <tr key={slug}>
                <th scope="row">{slug}</th>
                <td className={shared.number} data-label={stored}>
                  {bytes(usedBytes)}
                </td>
                <td className={shared.number} data-label={quota}>
                  {quotaBytes === undefined ? noQuota : bytes(quotaBytes)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
