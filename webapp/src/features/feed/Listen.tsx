import { Button } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconPlayerStop, IconVolume } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { words } from '../../i18n/words'
import { language } from '../../i18n/language'

/** Has the browser read a notification aloud. Renders nothing in one that cannot. */
export default function Listen({ of: { title, body } }: { of: Pick<Notification, 'title' | 'body'> }) {
  const [speaking, setSpeaking] = useState(false)
  useEffect(() => () => globalThis.speechSynthesis?.cancel(), [])
  if (!('speechSynthesis' in globalThis)) return null
  const speak = () => {
    const speech = new SpeechSynthesisUtterance(`${title}. ${body}`)
    speech.lang = language
    for (const over of ['end', 'error'] as const) speech.addEventListener(over, () => setSpeaking(false))
    speechSynthesis.cancel()
    speechSynthesis.speak(speech)
    setSpeaking(true)
  }
  const Icon = speaking ? IconPlayerStop : IconVolume
  return (
    <Button
      variant="subtle"
      size="sm"
      px={0}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={() => (speaking ? speechSynthesis.cancel() : speak())}
    >
      {speaking ? words.feed.stopListening : words.feed.listen}
    </Button>
  )
}
