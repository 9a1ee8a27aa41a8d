import {Suspense, type ReactElement, type ReactNode} from 'react'
import {loadPart} from './load-part.ts'
import {partView} from './use-lazy.ts'
import {useOverlay, type TriggerProps} from './use-overlay.ts'

const importOverlay = () => import('./overlays/popover-overlay.tsx')
const load = () => loadPart(importOverlay)
const PopoverOverlay = partView(importOverlay, (part) => part.PopoverOverlay)

type PopoverProps = {
  label: string
  align?: 'start' | 'end'
  trigger: (props: TriggerProps) => ReactElement
  children: (close: () => void) => ReactNode
}

/** A button that opens a small panel beside it. */
export function Popover({label, align = 'start', trigger, children}: PopoverProps) {
  const overlay = useOverlay('dialog', () => void load().catch(() => undefined))
  return (
    <>
      {trigger(overlay.trigger)}
      {overlay.mounted && (
        <Suspense>
          <PopoverOverlay
            label={label}
            align={align}
            open={overlay.open}
            onClose={overlay.close}
            anchor={overlay.trigger.ref}
          >
            {children(overlay.close)}
          </PopoverOverlay>
        </Suspense>
      )}
    </>
  )
}
