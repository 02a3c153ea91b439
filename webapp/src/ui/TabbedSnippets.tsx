import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** Several snippets by their names, of which one is shown. */
export function TabbedSnippets({ label, snippets }: { label: string; snippets: Record<string, ReactNode> }) {
  const names = Object.keys(snippets)
  const [shown, setShown] = useState(names[0])
  return (
    <Tabs value={shown}>
      <Tabs.List m={8} aria-label={label}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} onFocus={() => setShown(name)} onClick={() => setShown(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {snippets[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
