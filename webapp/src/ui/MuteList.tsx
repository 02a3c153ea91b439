import { Text } from '@mantine/core'
import { words } from '../i18n/words'
import { muteEnd, mutes } from '../lib/mute'
import { untilLabel } from '../lib/spans'
import { Option } from './Option'

/** For how long a channel can be muted. */
export const MuteList = ({ onChoose }: { onChoose: (until: Date) => void }) => (
  <ul>
    {mutes.map((mute) => (
      <li key={mute}>
        <Option
          label={words.followed.muteFor[mute]}
          rightSection={
            <Text span fz="sm" c="dimmed">
              {untilLabel(muteEnd(mute))}
            </Text>
          }
          onClick={() => onChoose(muteEnd(mute))}
        />
      </li>
    ))}
  </ul>
)
