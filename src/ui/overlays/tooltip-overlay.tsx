import {Tooltip} from '@base-ui/react/tooltip'
import {Kbd} from '../kbd.tsx'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'

type TooltipOverlayProps = {anchor: Element; text: string; keys: string | undefined; onClose: () => void}

/** Hidden from screen readers, which read the name of the control itself. */
export function TooltipOverlay({anchor, text, keys, onClose}: TooltipOverlayProps) {
  return (
    <OverlayProviders>
      <Tooltip.Root
        open
        onOpenChange={(open) => {
          if (!open) onClose()
        }}
      >
        <Tooltip.Portal>
          <Tooltip.Positioner anchor={anchor} sideOffset={6} className={styles.tooltipPositioner}>
            <Tooltip.Popup className={styles.tooltip} aria-hidden>
              {text}
              {keys !== undefined && <Kbd keys={keys} plain />}
            </Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
    </OverlayProviders>
  )
}
