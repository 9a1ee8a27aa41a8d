import type {Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

/** Why a model cannot be chosen. */
export const reasonOf = (disabled: OfferedModel['disabled'], text: Text) =>
  disabled && text(disabled === 'not_served' ? 'chat.notServed' : 'chat.notConfigured')
