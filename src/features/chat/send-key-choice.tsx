import {useSyncExternalStore} from 'react'
import {sendKey} from '#browser/remembered-value.ts'
import {shownKeys} from '#ui/kbd.tsx'
import {Segmented} from '#ui/segmented.tsx'
import surface from '#ui/surface.module.css'
import {useText} from '#ui/text.tsx'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'
import styles from './composer-settings.module.css'

/** Which key sends a message; nothing on touch, where Enter breaks the line whatever is chosen. */
export function SendKeyChoice() {
  const text = useText()
  const isTouch = useMediaQuery(coarsePointer)
  const key = useSyncExternalStore(sendKey.subscribe, sendKey.get)
  if (isTouch) return null
  return (
    <div className={styles.setting}>
      <h3 className={surface.heading}>{text('chat.sendKey')}</h3>
      <Segmented
        label={text('chat.sendKey')}
        value={key}
        onChange={sendKey.set}
        options={[
          {value: 'enter', label: text('chat.sendKeyEnter')},
          {value: 'modifier', label: text('chat.sendKeyModifier', {keys: shownKeys('Ctrl')})},
        ]}
      />
    </div>
  )
}
