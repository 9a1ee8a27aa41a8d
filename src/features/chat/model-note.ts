import type {Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

/** The model's strengths, or why it cannot be chosen. */
export const noteOf = (model: OfferedModel, text: Text) =>
  model.disabled === undefined
    ? model.descriptionId && text(model.descriptionId)
    : text(model.disabled === 'not_served' ? 'chat.notServed' : 'chat.notConfigured')
