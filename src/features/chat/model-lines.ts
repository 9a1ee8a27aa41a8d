import type {MessageId, Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'

const lines: Record<string, MessageId> = {
  'gpt-5-all': 'chat.modelGpt5All',
  'gpt-5': 'chat.modelGpt5',
  'gpt-5-mini': 'chat.modelGpt5Mini',
  'gpt-4o': 'chat.modelGpt4o',
  'gpt-4o-mini': 'chat.modelGpt4oMini',
  'gpt-4o-all': 'chat.modelGpt4oAll',
  'gpt-4-all': 'chat.modelGpt4All',
  'gpt-4o-image': 'chat.modelGpt4oImage',
  o3: 'chat.modelO3',
  'o4-mini': 'chat.modelO4Mini',
  'o1-mini': 'chat.modelO1Mini',
  'deepseek-v3': 'chat.modelDeepseekV3',
  'deepseek-r1': 'chat.modelDeepseekR1',
  'grok-4': 'chat.modelGrok4',
  'grok-3': 'chat.modelGrok3',
  'grok-3-reasoning': 'chat.modelGrok3Reasoning',
  'grok-3-deepsearch': 'chat.modelGrok3Deepsearch',
}

/** Models of the specification that think before they answer. What the others do nobody says. */
const reasoning = new Set(['o3', 'o4-mini', 'o1-mini', 'deepseek-r1', 'grok-4', 'grok-3-reasoning'])
export const reasonsFirst = ({name}: Pick<OfferedModel, 'name'>) => reasoning.has(name)

/** One line about the model's strengths; none for unknown models. */
export function lineOf({name, section}: Pick<OfferedModel, 'name' | 'section'>): MessageId | undefined {
  if (section === 'sandbox') return 'chat.modelSandbox'
  return Object.hasOwn(lines, name) ? lines[name] : undefined
}

/** The model's strengths, or why it cannot be chosen. */
export function noteOf(model: OfferedModel, text: Text) {
  const line = lineOf(model)
  return reasonOf(model.disabled, text) ?? (line && text(line))
}
