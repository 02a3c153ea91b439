import { Switch } from '@mantine/core'
import type { Setting } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { serverSettingsQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import shared from './admin.module.css'

/** The settings in force, without secrets. */
export function ServerSettings() {
  const query = useQuery(serverSettingsQuery())
  const [own, setOwn] = useState(false)
  return (
    <>
      <p className={shared.text}>{admin.settings.text}</p>
      <Switch
        label={admin.settings.own}
        size="md"
        checked={own}
        classNames={{ body: shared.switch, label: shared.switchLabel }}
        onChange={(event) => setOwn(event.currentTarget.checked)}
      />
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={640} />}>
        {(settings) => (
          <div className={shared.panel}>
            <table className={`${shared.table} ${shared.stacked}`}>
              <thead>
                <tr>
                  {admin.settings.columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {settings
                  .filter(({ source }) => !own || source !== 'default')
                  .map((setting) => (
                    <SettingRow key={setting.name} setting={setting} />
                  ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </>
  )
}

function SettingRow({ setting: { name, value, set, secret, source } }: { setting: Setting }) {
  return (
    <tr>
      <th scope="row" className={shared.code}>
        {name}
      </th>
      <td>{value ? <span className={shared.code}>{breakable(value)}</span> : <Unshown set={set} secret={secret} />}</td>
      <td className={shared.source}>{admin.settings.sources[source] ?? source}</td>
    </tr>
  )
}

function Unshown({ set, secret }: { set: boolean; secret: boolean }) {
  return <span className={shared.source}>{set && secret ? admin.settings.secret : admin.settings.notSet}</span>
}

/** An address is broken after a slash rather than within a word. */
const breakable = (value: string) =>
  value.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
