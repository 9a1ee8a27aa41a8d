import type {Artifact, MediaTool, Medium, Reading, Submission} from '#contract/media/media-tool.ts'
import type {ToolScreen} from '#contract/media/media-screen.ts'
import {z} from '#contract/schema.ts'

/*
 * A tool as the screens work with it: any of the thirteen, its form read by key. Each tool's own files are checked
 * against its form where they are written (`defineTool`, `defineScreen`); here the exact form is forgotten.
 */

export type AnyForm = Record<string, unknown>
export type ChoiceValue = string | number
export type AnyChoice = {value: ChoiceValue; label?: string; text?: string}

type Common = {
  key: string
  label: string
  help?: string
  group?: 'main' | 'advanced' | 'foot'
  showIf?: (form: AnyForm) => boolean
}

export type ChoiceField = Common & {
  kind: 'select' | 'segmented' | 'ratio' | 'tiles' | 'tabs'
  choices: readonly AnyChoice[] | ((form: AnyForm) => readonly AnyChoice[])
  isClearable?: boolean
  none?: string
}
export type FilesFieldValue = Common & {
  kind: 'files'
  medium: Medium
  most: number
  types: readonly string[]
  maxBytes: number
}
export type ChipsField = Common & {
  kind: 'chips'
  groups: readonly {id: string; label: string}[]
  words: () => Promise<Readonly<Record<string, readonly string[]>>>
}

export type AnyField =
  | (Common & {
      kind: 'prompt' | 'lyrics'
      most: number
      isRequired?: boolean
      write?: (idea: string, form: AnyForm) => Submission
    })
  | (Common & {kind: 'text'; most: number; room?: (form: AnyForm) => {now: number; most: number}})
  | ChoiceField
  | (Common & {
      kind: 'slider'
      least: number
      most: number
      step: number
      mostOf?: (form: AnyForm) => number
      shown?: number | ((form: AnyForm) => number)
    })
  | (Common & {kind: 'number'; least: number; most: number; isClearable?: boolean})
  | (Common & {kind: 'switch'})
  | FilesFieldValue
  | ChipsField
  | (Common & {kind: 'taskRef'; previewKey?: string})

export type ActionSubject = {artifact: Artifact; index: number; reading: Reading; request: Record<string, unknown>}

export type AnyAction = {
  id: string
  label: string
  group?: string
  medium: Medium
  short?: string
  when?: (subject: ActionSubject) => boolean
} & (
  | {fill: (subject: ActionSubject, form: AnyForm) => AnyForm}
  | {send: (subject: ActionSubject, form: AnyForm) => Submission}
)

export type AnyScreen = {
  works?: ToolScreen['works']
  fields: readonly AnyField[]
  actions: readonly AnyAction[]
  examples: readonly {label: string; set: AnyForm}[]
  results: 'grid' | 'songs'
}

/** A screen whose exact form is forgotten; `defineScreen` has checked its keys against the form. */
export const anyScreen = (screen: ToolScreen | AnyScreen): AnyScreen => screen

/** The choices that the other values of the form allow. */
export const choicesOf = ({choices}: ChoiceField, form: AnyForm): readonly AnyChoice[] =>
  typeof choices === 'function' ? choices(form) : choices

/** The fields that show now, of one part of the form. */
export const shownFields = (screen: AnyScreen, form: AnyForm, group: 'main' | 'advanced' | 'foot'): AnyField[] =>
  screen.fields.filter((field) => (field.group ?? 'main') === group && field.showIf?.(form) !== false)

/** The form as the tool makes it of nothing: every field's default. */
export const defaultsOf = (tool: Pick<MediaTool, 'form'>): AnyForm => z.parse(tool.form, {})
