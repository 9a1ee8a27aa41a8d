import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useSelecting} from './use-selection.ts'

/** Begins to choose several results, and ends it. */
export function SelectButton() {
  const text = useText()
  const {isSelecting, isWorking, toggle} = useSelecting()
  return (
    <Button size="sm" variant="ghost" data-select="" aria-pressed={isSelecting} disabled={isWorking} onClick={toggle}>
      {text('common.mediaSelect')}
    </Button>
  )
}
