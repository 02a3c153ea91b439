import type { Storage } from '@sininho/sdk'
import { number } from '../i18n/words'

/** A size in MB or GB, as disks are sold. */
export const bytes = (count: number) =>
  count < 1e9 ? `${number(Math.ceil(count / 1e6))} MB` : `${number(Math.round(count / 1e8) / 10)} GB`

/** Whether a publisher soon stores as much as it may, after which nothing is published. */
export const isAlmostFull = ({ usedBytes, quotaBytes }: Storage) =>
  quotaBytes !== undefined && usedBytes >= quotaBytes * 0.9
