import {useEffect, useEffectEvent} from 'react'
import {coarsePointer} from '../use-media-query.ts'

/** The browser asks the topmost watcher to close; Chromium has it (https://html.spec.whatwg.org/#closewatcher). */
type CloseWatcher = {onclose: (() => void) | null; destroy: () => void}
// as: TypeScript's libraries do not know it yet
const {CloseWatcher} = globalThis as {CloseWatcher?: new () => CloseWatcher}

/**
 * The system's Back closes what lies over the page, and leaves the page where it is (decision 71). With a keyboard Esc
 * does, which the overlays hear themselves.
 */
export function useCloseRequest(open: boolean, onClose: (() => void) | undefined) {
  const close = useEffectEvent(() => onClose?.())
  const isClosable = open && onClose !== undefined
  useEffect(() => {
    if (!isClosable || CloseWatcher === undefined || !matchMedia(coarsePointer).matches) return
    const watcher = new CloseWatcher()
    watcher.onclose = () => close()
    return () => watcher.destroy()
  }, [isClosable])
}
