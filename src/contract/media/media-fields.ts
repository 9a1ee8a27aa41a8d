import {largestFile} from '../files.ts'
import {imageTypes} from './media-rules.ts'
import type {Choice} from './media-screen.ts'

/* Shared parts of the tools' screens. */

/** Values shown unchanged: ratios, resolutions, versions. */
export const plainChoices = <const Value extends string | number>(values: readonly Value[]): Choice<Value>[] =>
  values.map((value) => ({value, text: String(value)}))
/** Lengths in seconds. */
export const secondChoices = <const Value extends number>(values: readonly Value[]): Choice<Value>[] =>
  values.map((value) => ({value, label: 'common.mediaSeconds'}))
/** Product names of models, by the value on the wire. */
export const namedChoices = <const Value extends string>(names: Readonly<Record<Value, string>>): Choice<Value>[] =>
  // as: the keys of the record are exactly the values
  (Object.entries(names) as [Value, string][]).map(([value, text]) => ({value, text}))
/** Values with messages of their own: `name('v4')` is the message of `v4`. */
export const labelledChoices = <const Value extends string | number>(
  values: readonly Value[],
  name: (value: Value) => string,
): Choice<Value>[] => values.map((value) => ({value, label: name(value)}))

/** `tiny-plus` or `male_portrait2` as a message key: `tinyPlus`, `malePortrait2`. */
const camelCase = (value: string) =>
  value.replace(/(?<![-_. ])[-_. ]+(\w)/g, (_, letter: string) => letter.toUpperCase())
/** A message named after its value: `prefixed('style')('3d_animation')` is `style3dAnimation`. */
export const prefixed = (prefix: string) => (value: string | number) => {
  const name = camelCase(String(value))
  return `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Rules of image inputs (contract/media §1.8). */
export const imageFiles = {medium: 'image', types: imageTypes, maxBytes: largestFile} as const
