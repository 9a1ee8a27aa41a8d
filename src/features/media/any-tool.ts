import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Choice, Field, ResultAction, ToolScreen} from '#contract/media/media-screen.ts'
import {z} from '#contract/schema.ts'

/*
 * A tool as the screens work with it: any of the thirteen, its form read by key. Each tool's own files are checked
 * against its form where they are written (`defineTool`, `defineScreen`); here the exact form is forgotten.
 */

export type AnyForm = Record<string, unknown>
export type AnyScreen = ToolScreen
export type AnyField = Field<AnyForm>
export type AnyAction = ResultAction<AnyForm>
export type AnyChoice = Choice<ChoiceValue>
export type ChoiceValue = string | number
export type ChoiceField = Extract<AnyField, {choices: unknown}>
export type FilesFieldValue = Extract<AnyField, {kind: 'files'}>
export type ChipsField = Extract<AnyField, {kind: 'chips'}>

/** The choices that the other values of the form allow. */
export const choicesOf = ({choices}: ChoiceField, form: AnyForm): readonly AnyChoice[] =>
  typeof choices === 'function' ? choices(form) : choices

/** The fields that show now, of one part of the form. */
export const shownFields = (screen: AnyScreen, form: AnyForm, group: 'main' | 'advanced' | 'foot'): AnyField[] =>
  screen.fields.filter((field) => (field.group ?? 'main') === group && field.showIf?.(form) !== false)

/** The form as the tool makes it of nothing: every field's default. */
export const defaultsOf = (tool: Pick<MediaTool, 'form'>): AnyForm => z.parse(tool.form, {})
