import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'

/** Colours of charts, which tell apart in light and dark. */
const colours = 5

/** A label's colour comes from its name: the same in every tab, with nothing to store. */
export function labelColour(label: string): string {
  let sum = 0
  for (const character of label) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return `var(--chart-${1 + (sum % colours)})`
}

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
