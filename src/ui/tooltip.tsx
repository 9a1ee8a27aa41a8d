import {Suspense, useEffect, useRef, useState, type PointerEvent, type ReactElement} from 'react'
import {lazyView} from './use-lazy.ts'

export const TooltipOverlay = lazyView(async () => (await import('./overlays/tooltip-overlay.tsx')).TooltipOverlay)

/** How long a pointer rests before the tooltip shows, in ms (design §7). */
const delay = 500

/** At which control a tooltip is, and what brings it there and takes it away. */
export function useTooltip() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [anchor, setAnchor] = useState<Element>()
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    anchor,
    show: setAnchor,
    /** After a rest of a mouse or a pen. */
    showSoon: ({pointerType}: PointerEvent, control: () => Element | undefined) => {
      if (pointerType !== 'mouse' && pointerType !== 'pen') return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setAnchor(control()), delay)
    },
    hide: () => {
      clearTimeout(timer.current)
      setAnchor(undefined)
    },
  }
}

/**
 * Shows the name of an icon-only control to a fine pointer or to keyboard focus; never on touch. The name itself is the
 * control's `aria-label`, so the tooltip is decoration and its code loads when one is first shown.
 */
export function Tooltip({text, keys, children}: {text: string; keys?: string; children: ReactElement}) {
  const wrapper = useRef<HTMLSpanElement>(null)
  const {anchor, show, showSoon, hide} = useTooltip()
  const control = () => wrapper.current?.firstElementChild ?? undefined
  return (
    <>
      <span
        ref={wrapper}
        style={{display: 'contents'}}
        onPointerEnter={(event) => showSoon(event, control)}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={(event) => {
          if (event.target.matches(':focus-visible')) show(control())
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
