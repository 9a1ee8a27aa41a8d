import type {Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

/** Why a model cannot be chosen. */
export const reasonOf = (reason: OfferedModel['disabled'], text: Text) =>
  reason && text(reason === 'not_served' ? 'chat.notServed' : 'chat.notConfigured')
