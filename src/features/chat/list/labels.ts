import {createContext} from 'react'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'

/** Colours of charts, which tell apart in light and dark. */
const colours = 5

/** The colour that a label has by its name, unless another label has it already. */
function firstColour(label: string): number {
  let sum = 0
  for (const character of label) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % colours
}

/**
 * The colours of all labels of a user: no two labels share one while there are enough. They come from the names alone, so that
 * every tab shows the same and nothing is stored. Where two names give the same colour, a new label whose name sorts first
 * takes it from the other.
 */
export function labelColours(labels: readonly string[]): ReadonlyMap<string, string> {
  const colourOf = new Map<string, number>()
  // the same order in every language
  const sorted = labels.toSorted()
  const remaining = sorted.filter((label) => {
    const isFree = ![...colourOf.values()].includes(firstColour(label))
    if (isFree) colourOf.set(label, firstColour(label))
    return !isFree
  })
  for (const label of remaining) {
    const usedColours = [...colourOf.values()]
    const from = firstColour(label)
    const next = Array.from({length: colours}, (_, step) => (from + step) % colours)
    colourOf.set(label, next.find((colour) => !usedColours.includes(colour)) ?? from)
  }
  return new Map([...colourOf].map(([label, colour]) => [label, `var(--chart-${1 + colour})`]))
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

/** Which conversations the list shows. */
export type ListFilter = {show: 'all'} | {show: 'archive'} | {show: 'label'; label: string}

export const filteredBy = (filter: ListFilter, records: readonly ConversationRecord[]) =>
  records.filter(({archived = false, labels = []}) =>
    filter.show === 'archive' ? archived : !archived && (filter.show === 'all' || labels.includes(filter.label)),
  )
