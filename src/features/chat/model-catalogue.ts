import type {RefObject} from 'react'
import type {ServedModel} from '#contract/management.ts'
import {chatModels, type ModelGroup} from '#contract/models.ts'
import type {Text} from '#ui/text.tsx'

/** A model in the picker. */
export type OfferedModel = {
  name: string
  label: string
  group: ModelGroup
  takesFiles: boolean
  takesImages: boolean
  /** Why it cannot be chosen. */
  disabled: 'not_served' | 'not_configured' | undefined
  section: 'group' | 'sandbox' | 'local' | 'provider'
  provider: string | undefined
  /** Credits for 1,000 tokens; unknown where the back end does not say. */
  price?: ServedModel['price']
}

/** Props of the view that offers models beside a button, or in a sheet. */
export type ModelChoiceProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
  /** For one more answer, not for the conversation. */
  isForAnswer?: boolean
}

/** The specification's models. Names are the same in each language (docs/decisions/0017-model-names.md). */
const labels: Record<string, string> = {
  'gpt-5-all': 'GPT-5',
  'gpt-5': 'GPT-5 basic',
  'gpt-5-mini': 'GPT-5 mini',
  'gpt-4o': 'GPT-4o basic',
  'gpt-4o-mini': 'GPT-4o mini',
  'gpt-4o-all': 'GPT-4o',
  'gpt-4-all': 'GPT-4',
  'gpt-4o-image': 'GPT-4o image',
  o3: 'o3',
  'o4-mini': 'o4 mini',
  'o1-mini': 'o1 mini',
  'deepseek-v3': 'DeepSeek V3',
  'deepseek-r1': 'DeepSeek R1',
  'grok-4': 'Grok 4',
  'grok-3': 'Grok 3',
  'grok-3-reasoning': 'Grok 3 Reasoning',
  'grok-3-deepsearch': 'Grok 3 DeepSearch',
}

const isKnown = (name: string) => Object.hasOwn(labels, name)
export const labelOf = (name: string) => (isKnown(name) ? (labels[name] ?? name) : name)

function fromServed(model: ServedModel): OfferedModel {
  const section =
    model.provider === 'sandbox'
      ? 'sandbox'
      : model.local === true
        ? 'local'
        : isKnown(model.name)
          ? 'group'
          : 'provider'
  return {
    name: model.name,
    label: model.label ?? labelOf(model.name),
    group: model.group,
    takesFiles: model.isFileSupported === true,
    takesImages: model.isImageSupported === true,
    disabled: model.disabled ?? (model.enabled === false ? 'not_served' : undefined),
    section,
    provider: model.provider,
    price: model.price,
  }
}

/**
 * The models of a group, in the specification's order. If the back end lists its models, others are shown disabled with
 * the reason. Without such a list only the table's enabled models are offered.
 */
export function offeredModels(group: ModelGroup, served: readonly ServedModel[]): OfferedModel[] {
  const ofGroup = chatModels.filter((model) => model.modelGroup === group)
  const fromTable = (model: (typeof ofGroup)[number], disabled: OfferedModel['disabled']): OfferedModel => ({
    name: model.name,
    label: labelOf(model.name),
    group,
    takesFiles: model.isFileSupported,
    takesImages: model.isImageSupported,
    disabled,
    section: 'group',
    provider: undefined,
  })
  if (served.length === 0) return ofGroup.filter(({enabled}) => enabled).map((model) => fromTable(model, undefined))
  const groupModels = served.filter((model) => model.group === group).map(fromServed)
  const specified = ofGroup.map(
    (model) => groupModels.find(({name}) => name === model.name) ?? fromTable(model, 'not_served'),
  )
  return [...specified, ...groupModels.filter(({name}) => !ofGroup.some((model) => model.name === name))]
}

/** A once chosen model that is no longer offered here, or belongs to another group. */
function unoffered(name: string, group: ModelGroup, served: readonly ServedModel[]): OfferedModel {
  const servedModel = served.find((model) => model.name === name)
  if (servedModel !== undefined) return fromServed(servedModel)
  const specified = chatModels.find((model) => model.name === name)
  return {
    name,
    label: labelOf(name),
    group: specified?.modelGroup ?? group,
    takesFiles: specified?.isFileSupported === true,
    takesImages: specified?.isImageSupported === true,
    // without a list it is unknown which models are served: the server decides
    disabled: served.length === 0 ? undefined : 'not_served',
    section: 'group',
    provider: undefined,
  }
}

export type ModelChoice = {
  offered: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  /** The stored model that is unusable and was replaced by the chosen one. */
  missing?: OfferedModel
}

/**
 * The offer of a group and its chosen model. A stored model stays chosen even if unusable, so that no other one
 * replaces it unasked; without one the first usable is chosen.
 */
export function chooseModel(
  group: ModelGroup,
  served: readonly ServedModel[],
  storedName: string | undefined,
): ModelChoice {
  const offered = offeredModels(group, served)
  if (storedName === undefined || storedName === '') {
    return {offered, chosen: offered.find(({disabled}) => disabled === undefined) ?? offered[0]}
  }
  const listed = offered.find(({name}) => name === storedName)
  if (listed !== undefined) return {offered, chosen: listed}
  const chosen = unoffered(storedName, group, served)
  return {offered: [...offered, chosen], chosen}
}

/** Chooses for the first question of a conversation: an unusable stored model is replaced. */
export function chooseFirstModel(
  group: ModelGroup,
  served: readonly ServedModel[],
  stored: string | undefined,
): ModelChoice {
  const choice = chooseModel(group, served, stored)
  if (choice.chosen?.disabled === undefined) return choice
  const fallback = chooseModel(group, served, undefined)
  return fallback.chosen?.disabled === undefined ? {...fallback, missing: choice.chosen} : choice
}

/** Names of models are the same in each language; "no model" is translated. */
export const shownLabel = ({section, label}: Pick<OfferedModel, 'section' | 'label'>, text: Text): string =>
  section === 'sandbox' ? text('chat.sandboxModels') : label

/** The group of a conversation, by its model; unknown models belong to the group that serves them. */
export function groupOfModel(name: string, served: readonly ServedModel[]): ModelGroup {
  return (
    served.find((model) => model.name === name)?.group ??
    chatModels.find((model) => model.name === name)?.modelGroup ??
    'chatgpt'
  )
}
