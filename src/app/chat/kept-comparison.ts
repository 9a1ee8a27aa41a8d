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

const save = (state: KeptState, changes: Partial<KeptComparison>) =>
  state.save(withToolSlice(slice, {config: {...keptOf(state), ...changes}}))

export function keep(state: KeptState, changes: Pick<KeptComparison, 'models'> | Pick<KeptComparison, 'last'>) {
  save(state, changes)
  state.flush()
}

/** How long answers took: a comparison that is opened again has only the answers. */
export const createAnswerTimes = (state: KeptState) => ({
  read: (name: string, answer: string | undefined) =>
    keptOf(state).times?.find((time) => time.name === name && time.answer === answer)?.took,
  keep(times: readonly AnswerTime[]) {
    const before = keptOf(state).times ?? []
    const newTimes = times.filter((time) => !before.some((each) => isSameData(each, time)))
    if (newTimes.length === 0) return
    const others = before.filter(({name}) => newTimes.every((time) => time.name !== name))
    save(state, {times: [...others, ...newTimes].slice(-mostKept)})
  },
})

/** How far the columns of a comparison were scrolled. `names`: those of its conversations. */
export const createColumnScrolls = (state: KeptState) => {
  const scrollsOf = () => keptOf(state).scrolls ?? []
  return {
    read: (names: readonly string[]) => scrollsOf().find(({comparison}) => comparison === names.join('\n'))?.columns,
    keep(names: readonly string[], columns: number) {
      const comparison = names.join('\n')
      const others = scrollsOf().filter((each) => each.comparison !== comparison)
      save(state, {scrolls: [...others, {comparison, columns}].slice(-mostKept)})
    },
  }
}
