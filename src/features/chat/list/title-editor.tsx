import {useEffectEvent, useLayoutEffect, useRef, useState} from 'react'
import {isComposing} from '#ui/is-composing.ts'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'

type TitleEditorProps = {
  label: string
  initial: string
  /** Called with a title that is another one. */
  onSave: (value: string) => void
  /** The editor is done; by a key, it had the focus until now. */
  onEnd: (isByKey: boolean, editor: HTMLInputElement | null) => void
  /** The editor is there (true), or goes, also where it is not done. */
  onOpen: (isOpen: boolean) => void
  className?: string | undefined
}

/** A one-line editor where it stands: Enter, blur, the Back of a phone and the end of its list save, Esc cancels. */
export function TitleEditor({label, initial, onSave, onEnd, onOpen, className}: TitleEditorProps) {
  const [value, setValue] = useState(initial)
  const field = useRef<HTMLInputElement>(null)
  // the field that goes after a key loses the focus: its blur, in the same moment, is no second end
  const isDone = useRef(false)
  const save = () => {
    const next = value.trim()
    if (next !== '' && next !== initial) onSave(next)
  }
  const open = useEffectEvent(onOpen)
  const leave = useEffectEvent(() => {
    if (!isDone.current) save()
  })
  useLayoutEffect(() => {
    open(true)
    return () => {
      open(false)
      leave()
    }
  }, [])
  const finish = (isKept: boolean, isByKey = true) => {
    if (isDone.current) return
    isDone.current = true
    if (isKept) save()
    onEnd(isByKey, field.current)
  }
  useCloseRequest(true, () => finish(true))
  return (
    <input
      ref={field}
      className={className}
      aria-label={label}
      dir="auto"
      value={value}
      maxLength={400}
      autoFocus
      onFocus={({currentTarget}) => {
        currentTarget.select()
        // the beginning of a long title tells it from others
        currentTarget.scrollLeft = 0
      }}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={() => finish(true, false)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        event.stopPropagation()
        if (event.key === 'Enter') {
          event.preventDefault()
          finish(true)
        } else if (event.key === 'Escape') {
          event.preventDefault()
          finish(false)
        }
      }}
    />
  )
}
