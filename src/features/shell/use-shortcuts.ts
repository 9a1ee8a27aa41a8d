import {useEffect, useEffectEvent} from 'react'

type Shortcuts = {onTogglePanel: () => void; onNewChat: () => void}

/** Global shortcuts (design.md §8). Ignores keys of an input method's composition. */
export function useShortcuts({onTogglePanel, onNewChat}: Shortcuts) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.altKey || event.repeat || event.defaultPrevented) return
    if (!event.ctrlKey && !event.metaKey) return
    if (event.code === 'Backslash' && !event.shiftKey) onTogglePanel()
    else if (event.code === 'KeyO' && event.shiftKey) onNewChat()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}
