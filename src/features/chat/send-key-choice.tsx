import {useSyncExternalStore} from 'react'
import {sendKey} from '#browser/remembered-value.ts'
import {shownKeys} from '#ui/kbd.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {useText} from '#ui/text.tsx'

/** Which key sends a message. */
export function SendKeyChoice() {
  const text = useText()
  const key = useSyncExternalStore(sendKey.subscribe, sendKey.get)
  return (
    <Segmented
      label={text('chat.sendKey')}
      value={key}
      onChange={sendKey.set}
      options={[
        {value: 'enter', label: text('chat.sendKeyEnter')},
        {value: 'modifier', label: text('chat.sendKeyModifier', {keys: shownKeys('Ctrl')})},
      ]}
    />
  )
}
