import { Switch, Text } from '@mantine/core'
import type { Setting } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { serverSettingsQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { DataTable } from './DataTable'

const texts = admin.settings

/** The settings in force, without secrets. */
export function ServerSettings() {
  const query = useQuery(serverSettingsQuery())
  const [own, setOwn] = useState(false)
  return (
    <>
      <Text maw="68ch" c="dimmed">
        {texts.text}
      </Text>
      <Switch label={texts.own} checked={own} onChange={(event) => setOwn(event.currentTarget.checked)} />
      <Loaded query={query} skeleton={<BlockSkeleton height={640} />}>
        {(settings) => (
          <DataTable
            words
            columns={texts.columns}
            rows={settings
              .filter(({ source }) => !own || source !== 'default')
              .map((setting) => [
                setting.name,
                <Value key="value" setting={setting} />,
                <Text key="source" span inherit c="dimmed">
                  {texts.sources[setting.source] ?? setting.source}
                </Text>,
              ])}
          />
        )}
      </Loaded>
    </>
  )
}

function Value({ setting: { value, set, secret } }: { setting: Setting }) {
  if (value) return <code>{breakable(value)}</code>
  return (
    <Text span inherit c="dimmed">
      {set && secret ? texts.secret : texts.notSet}
    </Text>
  )
}

/** An address is broken after a slash rather than within a word. */
const breakable = (value: string) =>
  value.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
