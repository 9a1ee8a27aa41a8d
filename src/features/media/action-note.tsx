import {CheckIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'

type ActionNoteProps = {
  /** The cost of an action that is sent at once; undefined of one that only fills the form or is free. */
  cost: number | undefined
  /** The same action was requested before. */
  isUsed: boolean
}

/** The note at the end of an action's button. */
export function ActionNote({cost, isUsed}: ActionNoteProps) {
  const text = useText()
  const price = cost === undefined || cost === 0 ? [] : [text('common.creditAmount', {amount: cost})]
  const words = isUsed ? [text('common.mediaUsedBefore'), ...price] : price
  if (words.length === 0) return null
  return (
    <small style={{display: 'inline-flex', alignItems: 'center', gap: 4}}>
      {isUsed && <CheckIcon size={14} />}
      {words.join(' · ')}
    </small>
  )
}
