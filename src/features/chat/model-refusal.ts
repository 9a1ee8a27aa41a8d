import {isTextName} from '#domain/text-name.ts'
import {isFinal, isQuoted, refusalOf, type CheckedFile} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'

/** Why a model does not take a file or, for `together`, all files of a question; with the bytes, and the most. */
export type ModelRefusal = {reason: 'files' | 'images'} | {reason: 'length' | 'together'; bytes: number; most: number}

/** Why the model cannot accept a file; no model takes what is refused by itself, so nothing is said of models then. */
export function modelRefusalOf(file: CheckedFile, model: OfferedModel | undefined): ModelRefusal | undefined {
  if (isFinal(file) || isQuoted(file, model)) return undefined
  const reason = refusalOf(file, model)
  if (reason !== undefined) return {reason}
  const {size: bytes = 0} = file
  const {longestText: most = Infinity} = model ?? {}
  return isTextName(file.name) && bytes > most ? {reason: 'length', bytes, most} : undefined
}

/** The model takes these files, but not all of them with one question. */
export function excessOf(files: readonly CheckedFile[], model: OfferedModel | undefined): ModelRefusal | undefined {
  const {mostFileBytes: most = Infinity} = model ?? {}
  const takenFiles = files.filter(
    (file) => !isQuoted(file, model) && !isFinal(file) && modelRefusalOf(file, model) === undefined,
  )
  const bytes = takenFiles.reduce((sum, {size = 0}) => sum + size, 0)
  return bytes > most ? {reason: 'together', bytes, most} : undefined
}

/** Why the model does not take all of these files with one question; undefined where it does. */
export const refusalOfAll = (
  files: readonly CheckedFile[],
  model: OfferedModel | undefined,
): ModelRefusal | undefined =>
  files.map((file) => modelRefusalOf(file, model)).find((refusal) => refusal !== undefined) ?? excessOf(files, model)

export const takesAll = (files: readonly CheckedFile[], model: OfferedModel | undefined): boolean =>
  refusalOfAll(files, model) === undefined
