import type {StateStorage} from '#browser/storage.ts'
import {z} from '#contract/schema.ts'
import {readToolSlice, withToolSlice, type PersistedState} from '#domain/persisted-state.ts'
import {isSameData} from '#domain/same-data.ts'

export type KeptState = Pick<StateStorage<PersistedState>, 'read' | 'save' | 'flush'>

/** How long an answer was seen to take, in milliseconds; `answer` tells it from any other of its conversation. */
const answerTime = z.object({name: z.string(), answer: z.string(), took: z.number()})
export type AnswerTime = z.infer<typeof answerTime>
/** How many columns of a comparison were scrolled out of view. */
const scroll = z.object({comparison: z.string(), columns: z.number()})

/** The models that were compared last, and the comparison: names of conversations, whose texts stand elsewhere. */
const comparisonSchema = z.object({
  models: z.array(z.string()),
  last: z.array(z.string()),
  // for the way back to a comparison that was left, newest last
  times: z.optional(z.array(answerTime)),
  scrolls: z.optional(z.array(scroll)),
})
type KeptComparison = z.infer<typeof comparisonSchema>

/** The slice is the user's own, as the one of the favourite models: signing out removes it. */
const slice = 'compare'
/** Newest times and scrolls that are kept. */
const mostKept = 40

export const keptOf = (state: Pick<KeptState, 'read'>): KeptComparison => {
  const result = comparisonSchema.safeParse(readToolSlice(state.read(), slice)?.config)
  return result.success ? result.data : {models: [], last: []}
}

/** Stored at once: the rest of the slice is read from the store, which does not show what waits to be written. */
export function keep(state: KeptState, changes: Partial<KeptComparison>) {
  state.save(withToolSlice(slice, {config: {...keptOf(state), ...changes}}))
  state.flush()
}

/** How long answers took: a comparison that is opened again has only the answers. */
export const createAnswerTimes = (state: KeptState) => {
  let times: readonly AnswerTime[] = []
  return {
    /** Reads the stored ones. The others are asked with each word of an answer, and do not. */
    load: () => {
      times = keptOf(state).times ?? []
    },
    read: (name: string, answer: string | undefined) =>
      times.find((time) => time.name === name && time.answer === answer)?.took,
    keep(seenTimes: readonly AnswerTime[]) {
      const newTimes = seenTimes.filter((time) => !times.some((each) => isSameData(each, time)))
      if (newTimes.length === 0) return
      const others = keptOf(state).times?.filter(({name}) => newTimes.every((time) => time.name !== name)) ?? []
      times = [...others, ...newTimes].slice(-mostKept)
      keep(state, {times: [...times]})
    },
  }
}

/** How far the columns of a comparison were scrolled. `names`: those of its conversations. */
export const createColumnScrolls = (state: KeptState) => {
  const scrollsOf = () => keptOf(state).scrolls ?? []
  const read = (names: readonly string[]) =>
    scrollsOf().find(({comparison}) => comparison === names.join('\n'))?.columns
  return {
    read,
    keep(names: readonly string[], columns: number) {
      // signing out took the page away
      if (state.read().owner === undefined || read(names) === columns) return
      const comparison = names.join('\n')
      const others = scrollsOf().filter((each) => each.comparison !== comparison)
      keep(state, {scrolls: [...others, {comparison, columns}].slice(-mostKept)})
    },
    /** Its conversations have other names now, those of the server: the newest entry of both names is kept. */
    rename(before: readonly string[], names: readonly string[]) {
      const [comparisonBefore, comparison] = [before.join('\n'), names.join('\n')]
      if (comparisonBefore === comparison || read(before) === undefined) return
      const isOwn = (each: {comparison: string}) => [comparisonBefore, comparison].includes(each.comparison)
      const newest = scrollsOf().findLast(isOwn)
      const others = scrollsOf().filter((each) => !isOwn(each))
      keep(state, {scrolls: newest === undefined ? others : [...others, {...newest, comparison}]})
    },
  }
}
