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
  /** The most bytes of a text file that becomes part of a question, and of all of one; unknown without them. */
  longestText?: number | undefined
  mostFileBytes?: number | undefined
  /** Why it cannot be chosen. */
  disabled: 'not_served' | 'not_configured' | undefined
  section: 'group' | 'sandbox' | 'local' | 'provider'
  provider: string | undefined
}

/** A file that a question carries. */
export type CarriedFile = {
  name: string
  size?: number | undefined
  isImage: boolean
  /** The long text that it was pasted as. */
  pasted?: string | undefined
}

/** Props of the view that offers models beside a button, or in a sheet. */
export type ModelChoiceProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
  /** For one more answer, and what follows it; new conversations begin with the group's choice as before. */
  isForAnswer?: boolean
  /** The files that go along with the question: rows of models that do not take them say so. */
  files?: readonly CarriedFile[] | undefined
  /** Models of other groups, below: the conversation goes on with them in a branch in their group's list. */
  inBranch?: ModelsOfOthers | undefined
  /** Several can be chosen, of all groups; each choice adds a model or takes it out. */
  several?: SeveralModels
}

/** Models of other groups than that of the list. */
export type ModelsOfOthers = {
  models: readonly OfferedModel[]
  /** The files that go along with them. */
  files: readonly CarriedFile[]
  onChoose: (model: OfferedModel) => void
}

export type SeveralModels = {
  /** Names of the chosen models. */
  chosen: readonly string[]
  /** Why no other model can be added. */
  full: string | undefined
  /** How many are chosen, in words. */
  status: string
}

/** A model of the specification; it may have none of this name. */
const specified = (name: string) => chatModels.find((model) => model.name === name)

export const labelOf = (name: string) => specified(name)?.label ?? name

function toOffered(model: Omit<ServedModel, 'provider'> & {provider?: string | undefined}): OfferedModel {
  const {name, provider, disabled, longestText, mostFileBytes} = model
  const section =
    provider === 'sandbox'
      ? 'sandbox'
      : model.local === true
        ? 'local'
        : provider === undefined || specified(name) !== undefined
          ? 'group'
          : 'provider'
  return {
    name,
    label: model.label ?? labelOf(name),
    group: model.group,
    takesFiles: model.isFileSupported === true,
    takesImages: model.isImageSupported === true,
    longestText,
    mostFileBytes,
    disabled: disabled ?? (model.enabled === false ? 'not_served' : undefined),
    section,
    provider,
  }
}

/**
 * The models of a group, in the specification's order. If the back end lists its models, others are shown disabled with
 * the reason. Without such a list only the table's enabled models are offered.
 */
export function offeredModels(group: ModelGroup, servedModels: readonly ServedModel[]): OfferedModel[] {
  const ofGroup = chatModels.filter((model) => model.modelGroup === group)
  const fromTable = (model: (typeof ofGroup)[number], disabledReason: OfferedModel['disabled']) =>
    toOffered({...model, group, enabled: true, disabled: disabledReason})
  if (servedModels.length === 0)
    return ofGroup.filter(({enabled}) => enabled).map((model) => fromTable(model, undefined))
  const groupModels = servedModels.filter((model) => model.group === group).map(toOffered)
  const ofTable = ofGroup.map(
    (model) => groupModels.find(({name}) => name === model.name) ?? fromTable(model, 'not_served'),
  )
  return [...ofTable, ...groupModels.filter(({name}) => !ofGroup.some((model) => model.name === name))]
}

/** A once chosen model that is no longer offered here, or belongs to another group. */
function unoffered(name: string, group: ModelGroup, servedModels: readonly ServedModel[]): OfferedModel {
  const servedModel = servedModels.find((model) => model.name === name)
  if (servedModel !== undefined) return toOffered(servedModel)
  const model = specified(name)
  // without a list it is unknown which models are served: the server decides
  const disabledReason = servedModels.length === 0 ? undefined : 'not_served'
  return toOffered({...model, name, group: model?.modelGroup ?? group, enabled: true, disabled: disabledReason})
}

export type GroupModels = {
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
  servedModels: readonly ServedModel[],
  storedName: string | undefined,
): GroupModels {
  const modelsOfGroup = offeredModels(group, servedModels)
  if (storedName === undefined || storedName === '') {
    return {
      offered: modelsOfGroup,
      chosen: modelsOfGroup.find(({disabled}) => disabled === undefined) ?? modelsOfGroup[0],
    }
  }
  const listedModel = modelsOfGroup.find(({name}) => name === storedName)
  if (listedModel !== undefined) return {offered: modelsOfGroup, chosen: listedModel}
  const chosenModel = unoffered(storedName, group, servedModels)
  return {offered: [...modelsOfGroup, chosenModel], chosen: chosenModel}
}

/** Chooses for the first question of a conversation: an unusable stored model is replaced. */
export function chooseFirstModel(
  group: ModelGroup,
  servedModels: readonly ServedModel[],
  storedModel: string | undefined,
): GroupModels {
  const choice = chooseModel(group, servedModels, storedModel)
  if (choice.chosen?.disabled === undefined) return choice
  const fallback = chooseModel(group, servedModels, undefined)
  return fallback.chosen?.disabled === undefined ? {...fallback, missing: choice.chosen} : choice
}

/** Names of models are the same in each language; "no model" is translated. */
export const shownLabel = ({section, label}: Pick<OfferedModel, 'section' | 'label'>, text: Text): string =>
  section === 'sandbox' ? text('chat.sandboxModels') : label

/** The group of a conversation, by its model; unknown models belong to the group that serves them. */
export function groupOfModel(name: string, servedModels: readonly ServedModel[]): ModelGroup {
  return servedModels.find((model) => model.name === name)?.group ?? specified(name)?.modelGroup ?? 'chatgpt'
}
