import {Suspense, useCallback, useRef, useSyncExternalStore, type ComponentPropsWithRef, type PointerEvent} from 'react'
import {TooltipOverlay, useTooltip} from './tooltip.tsx'

const controlAt = (target: EventTarget) =>
  target instanceof Element ? (target.closest('[data-named]') ?? undefined) : undefined

/** Whether the pointer went from or to something outside of the control. */
const crosses = (control: Element, {relatedTarget}: PointerEvent) =>
  !(relatedTarget instanceof Node && control.contains(relatedTarget))

const nameOf = (control: Element | undefined) =>
  control?.isConnected === true ? control.getAttribute('aria-label') : null

/**
 * A `div` that shows the names of icon-only controls in it, those that carry `data-named`, as `Tooltip` does for one: a
 * long answer has more of them than it pays to give handlers and records of their own. A name that changes while it is
 * shown changes there too, and goes with its control.
 */
export function TooltipArea({children, ...rest}: Omit<ComponentPropsWithRef<'div'>, 'ref' | `on${string}`>) {
  const {anchor, show, showSoon, hide} = useTooltip()
  const area = useRef<HTMLDivElement>(null)
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (anchor === undefined || area.current === null) return () => undefined
      const changes = new MutationObserver(onChange)
      changes.observe(area.current, {childList: true, subtree: true, attributeFilter: ['aria-label']})
      return () => changes.disconnect()
    },
    [anchor],
  )
  const name = useSyncExternalStore(subscribe, () => nameOf(anchor))
  return (
    <>
      <div
        {...rest}
        ref={area}
        onPointerOver={(event) => {
          const control = controlAt(event.target)
          if (control !== undefined && crosses(control, event)) showSoon(event, () => control)
        }}
        onPointerOut={(event) => {
          const control = controlAt(event.target)
          if (control !== undefined && crosses(control, event)) hide()
        }}
        onPointerDown={hide}
        onFocus={({target}) => {
          if (target.matches('[data-named]:focus-visible')) show(target)
        }}
        onBlur={hide}
        onKeyDown={hide}
      >
        {children}
      </div>
      {anchor !== undefined && name !== null && (
        <Suspense>
          <TooltipOverlay anchor={anchor} text={name} keys={undefined} onClose={hide} />
        </Suspense>
      )}
    </>
  )
}
