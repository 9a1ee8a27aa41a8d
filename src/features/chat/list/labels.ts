import {createContext} from 'react'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import type {LabelColour} from '#domain/persisted-state.ts'

/** Colours of charts, which tell apart in light and dark. */
const colours = 5

/** Labels whose colours are stored at most; beyond that those are forgotten that no conversation carries. */
const mostStored = 500

/** The number of the colour that a label has by its name, unless it is taken. */
function firstColour(label: string): number {
  let sum = 0
  for (const character of label) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % colours
}

/**
 * Adds a colour for each label that has none stored. A new label takes one that no stored label has, while there is
 * one, and then one that none of `labels` has. Stored labels keep theirs. Without a new label the list is the same.
 */
export function withColours(storedLabels: readonly LabelColour[], labels: readonly string[]): readonly LabelColour[] {
  const colourOf = new Map(storedLabels.map(({label, colour}) => [label, colour]))
  // the same order in every language
  const newLabels = labels.filter((label) => !colourOf.has(label)).toSorted()
  if (newLabels.length === 0) return storedLabels
  const storedColours = new Set(colourOf.values())
  const usedColours = new Set(labels.flatMap((label) => colourOf.get(label) ?? []))
  const isFree = (colour: number) => !(storedColours.size < colours ? storedColours : usedColours).has(colour)
  const give = (label: string, colour: number) => {
    colourOf.set(label, colour)
    storedColours.add(colour)
    usedColours.add(colour)
  }
  const remaining = newLabels.filter((label) => {
    const isGiven = isFree(firstColour(label))
    if (isGiven) give(label, firstColour(label))
    return !isGiven
  })
  for (const label of remaining) {
    const from = firstColour(label)
    const next = Array.from({length: colours}, (_, step) => (from + step) % colours)
    give(label, next.find(isFree) ?? from)
  }
  const all = [...colourOf].map(([label, colour]) => ({label, colour}))
  return all.length <= mostStored ? all : all.filter(({label}) => labels.includes(label))
}

/**
 * The stored colours after a label got another name, or none. A name that is among `labels`, those that conversations
 * carry, keeps its colour: the two become one.
 */
export function movedColour(
  storedLabels: readonly LabelColour[],
  {label, to, labels}: {label: string; to: string | undefined; labels: readonly string[]},
): LabelColour[] {
  const takesOver = to !== undefined && !labels.includes(to)
  return storedLabels.flatMap((one) => {
    if (one.label === label) return takesOver ? [{...one, label: to}] : []
    return takesOver && one.label === to ? [] : [one]
  })
}

/** The colours of these labels, as CSS. */
export function labelColours(
  labels: readonly string[],
  storedLabels: readonly LabelColour[],
): ReadonlyMap<string, string> {
  const wantedLabels = new Set(labels)
  return new Map(
    withColours(storedLabels, labels).flatMap(({label, colour}) =>
      wantedLabels.has(label) ? [[label, `var(--chart-${1 + (colour % colours)})`]] : [],
    ),
  )
}

/** The colours in a list of conversations. */
export const LabelColours = createContext<ReadonlyMap<string, string>>(new Map())

/** All labels that conversations carry, in the order of the language. */
export function labelsOf(records: readonly ConversationRecord[], locale: string): string[] {
  const {compare} = new Intl.Collator(locale, {numeric: true})
  return [...new Set(records.flatMap(({labels = []}) => labels))].sort(compare)
}

/** Whether all, some or none of the conversations carry a label. */
export function shareOf(records: readonly ConversationRecord[], label: string): 'all' | 'some' | 'none' {
  const count = records.filter(({labels = []}) => labels.includes(label)).length
  return count === 0 ? 'none' : count === records.length ? 'all' : 'some'
}

/** The changes that put labels on conversations and take them off; a label that is in neither list stays as it is. */
export const labelChanges = (
  records: readonly ConversationRecord[],
  {on, off}: {on: readonly string[]; off: readonly string[]},
): ConversationChange[] =>
  records.flatMap(({key, labels = []}) => {
    const next = [...new Set([...labels.filter((label) => !off.includes(label)), ...on])]
    const isSame = next.length === labels.length && next.every((label) => labels.includes(label))
    return isSame ? [] : [{key, labels: next}]
  })

type LabelFilter = {
  show: 'label'
  label: string
  /** The filter before the label got this name, and the conversations that carried it then. */
  renamed?: {from: LabelFilter; moved: readonly MovedRecord[]}
}
/** `hadBoth`: it carried a label of the new name already. */
type MovedRecord = {key: string; hadBoth: boolean}
/** Which conversations the list shows. */
export type ListFilter = {show: 'all'} | {show: 'archive'} | LabelFilter

const carries = ({labels = []}: ConversationRecord, label: string) => labels.includes(label)

/** The filter after a label got another name, or none. `records`: all before that. */
export const movedFilter = (
  filter: ListFilter,
  {label, to, records}: {label: string; to: string | undefined; records: readonly ConversationRecord[]},
): ListFilter => {
  if (filter.show !== 'label' || filter.label !== label) return filter
  if (to === undefined) return {show: 'all'}
  const movedRecords = records
    .filter((record) => carries(record, label))
    .map((record) => ({key: record.key, hadBoth: carries(record, to)}))
  return {show: 'label', label: to, renamed: {from: filter, moved: movedRecords}}
}

/**
 * A new name is taken back when the conversations that got it have the old one instead. One that gets the old name
 * anew, or beside the new one, takes nothing back.
 */
function labelNow(filter: LabelFilter, records: readonly ConversationRecord[]): LabelFilter {
  if (filter.renamed === undefined) return filter
  const {from, moved} = filter.renamed
  const before = labelNow(from, records)
  const hadBoth = new Map(moved.map((each) => [each.key, each.hadBoth]))
  const present = records.filter(({key}) => hadBoth.has(key))
  const isTakenBack = (record: ConversationRecord) =>
    (carries(record, from.label) || carries(record, before.label)) &&
    (hadBoth.get(record.key) === true || !carries(record, filter.label))
  return present.length > 0 && present.every(isTakenBack) ? before : filter
}

/** The filter by the name that its label has now: a new name that was taken back leads to the old one. */
export const filterNow = (filter: ListFilter, records: readonly ConversationRecord[]): ListFilter =>
  filter.show === 'label' ? labelNow(filter, records) : filter

export const filteredBy = (filter: ListFilter, records: readonly ConversationRecord[]) =>
  records.filter(({archived = false, labels = []}) =>
    filter.show === 'archive' ? archived : !archived && (filter.show === 'all' || labels.includes(filter.label)),
  )
