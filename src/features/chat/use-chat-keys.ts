import {useEffect} from 'react'

type ChatKeys = {
  onNewChat: () => void
  onFocusComposer: () => void
  onStop: (() => void) | undefined
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const inOverlay = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null

/**
 * Keyboard shortcuts of the chat (design §8). Inactive during an input method's composition and while an overlay is
 * open.
 */
export function useChatKeys({onNewChat, onFocusComposer, onStop}: ChatKeys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || inOverlay(event.target)) return
      const withShift = (event.ctrlKey || event.metaKey) && event.shiftKey
      const key = event.key.toLowerCase()
      if (withShift && key === 'o') onNewChat()
      else if (key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey)
        onFocusComposer()
      else if (key === 'escape' && onStop !== undefined) onStop()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onNewChat, onFocusComposer, onStop])
}
