import {Drawer} from '#ui/drawer.tsx'
import {PopoverOverlay} from '#ui/overlays/popover-overlay.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import type {ModelChoiceProps} from './model-catalogue.ts'
import {ModelList, type ModelListProps} from './model-list.tsx'
import {useThreadWords} from './use-thread-words.ts'

type ModelOverlayProps = ModelChoiceProps & Pick<ModelListProps, 'favourites' | 'onFavourite' | 'english'>

/** The models beside the button, on phones as a sheet. */
export function ModelOverlay({open, onClose, anchor, ...list}: ModelOverlayProps) {
  useThreadWords()
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const title = text('chat.model')
  if (isPhone)
    return (
      <Drawer side="bottom" open={open} onClose={onClose} title={title} isQuiet>
        <ModelList {...list} />
      </Drawer>
    )
  return (
    <PopoverOverlay label={title} align="start" open={open} onClose={onClose} anchor={anchor} isFlush>
      <ModelList {...list} />
    </PopoverOverlay>
  )
}
