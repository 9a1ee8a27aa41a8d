import {useEffect, useEffectEvent} from 'react'

type ThreadKeys = {
  onCopyLast: () => void
  onFind: () => void
  /** The browser's own search would miss messages, and ours is not in use. */
  takesSearch: () => boolean
}

const inOverlay = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null

/**
 * Keys of a thread (design §8). `Ctrl Shift F` is no key of a browser, on a Mac with Control as well. The browser's own
 * search is taken only where it is incomplete, and a second press in the field reaches it (decision 52).
 */
export function useThreadKeys({onCopyLast, onFind, takesSearch}: ThreadKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented || event.altKey || inOverlay(event.target)) return
    const withCommand = event.ctrlKey || event.metaKey
    if (event.code === 'KeyC' && event.shiftKey && withCommand) onCopyLast()
    else if (event.code === 'KeyF' && event.shiftKey && event.ctrlKey && !event.metaKey) onFind()
    else if (event.code === 'KeyF' && !event.shiftKey && withCommand && takesSearch()) onFind()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
