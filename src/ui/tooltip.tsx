import {Suspense, useEffect, useRef, useState, type PointerEvent, type ReactElement} from 'react'
import {lazyView} from './use-lazy.ts'

const TooltipOverlay = lazyView(async () => (await import('./overlays/tooltip-overlay.tsx')).TooltipOverlay)

/** How long a pointer rests before the tooltip shows, in ms (design §7). */
const delay = 500

/**
 * Shows the name of an icon-only control to a fine pointer or to keyboard focus; never on touch. The name itself is the
 * control's `aria-label`, so the tooltip is decoration and its code loads when one is first shown.
 */
export function Tooltip({text, keys, children}: {text: string; keys?: string; children: ReactElement}) {
  const wrapper = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [anchor, setAnchor] = useState<Element>()
  const show = () => setAnchor(wrapper.current?.firstElementChild ?? undefined)
  const hide = () => {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const rest = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' && event.pointerType !== 'pen') return
    clearTimeout(timer.current)
    timer.current = setTimeout(show, delay)
  }
  return (
    <>
      <span
        ref={wrapper}
        style={{display: 'contents'}}
        onPointerEnter={rest}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={(event) => {
          if (event.target.matches(':focus-visible')) show()
        }}
        onBlur={hide}
        onKeyDown={hide}
      >
        {children}
      </span>
      {anchor !== undefined && (
        <Suspense>
          <TooltipOverlay anchor={anchor} text={text} keys={keys} onClose={hide} />
        </Suspense>
      )}
    </>
  )
}
