import {mostLabelled} from '#contract/chat.ts'
import type {ConversationChange} from '#domain/conversation.ts'
import {PartlySent} from '#domain/partly-sent.ts'
import {pagesOf} from './call-batches.ts'

type LabelStep = {ids: string[]; on: string[]; off: string[]}

const hasLabelsAlone = (change: ConversationChange) =>
  Object.keys(change).every((name) => name === 'key' || name === 'labels')

/** The labels that are put on a conversation and taken off it, if the change does nothing else. */
function stepOf(change: ConversationChange, previous: ConversationChange | undefined): LabelStep | undefined {
  const [before, after] = [previous?.labels, change.labels]
  if (before === undefined || after === undefined || !hasLabelsAlone(change)) return undefined
  const on = after.filter((label) => !before.includes(label))
  const off = before.filter((label) => !after.includes(label))
  return on.length + off.length === 0 ? undefined : {ids: [change.key], on, off}
}

/** Conversations with the same step become one step. */
function joinSteps(steps: readonly LabelStep[]): LabelStep[] {
  const stepsByLabel = new Map<string, LabelStep>()
  for (const step of steps) {
    const name = JSON.stringify([step.on, step.off])
    const same = stepsByLabel.get(name)
    if (same === undefined) stepsByLabel.set(name, {...step, ids: [...step.ids]})
    else same.ids.push(...step.ids)
  }
  return [...stepsByLabel.values()]
}

/** The body of a call, and the ids of the conversations that it changes. */
type ChangesCall = {body: object; ids: readonly string[]}

/** As many steps as one call takes, and conversations. */
function labelCalls(steps: readonly LabelStep[]): ChangesCall[] {
  const count = steps.reduce((sum, {ids}) => sum + ids.length, 0)
  const pages =
    count <= mostLabelled
      ? pagesOf(steps)
      : steps.flatMap(({ids, ...labels}) =>
          Array.from({length: Math.ceil(ids.length / mostLabelled)}, (_, page) => [
            {ids: ids.slice(page * mostLabelled, (page + 1) * mostLabelled), ...labels},
          ]),
        )
  return pages.map((items) => ({body: {action: 'label', items}, ids: items.flatMap(({ids}) => ids)}))
}

/**
 * The calls, in order: a title has its own, which every server knows. Our extensions: labels alone, in one call for all
 * conversations (`previous`: what each had, where the server offers `labels`), and other marks, a hundred in a call.
 */
function callsOf(changes: readonly ConversationChange[], previous: readonly ConversationChange[]): ChangesCall[] {
  const calls = changes.map((change, index) => ({change, step: stepOf(change, previous[index])}))
  const marks = calls.flatMap(({change, step}) => ('title' in change || step !== undefined ? [] : [change]))
  return [
    ...changes.flatMap(({key, ...change}) =>
      'title' in change ? [{body: {action: 'update', id: key, title: change.title}, ids: [key]}] : [],
    ),
    ...labelCalls(joinSteps(calls.flatMap(({step}) => step ?? []))),
    ...pagesOf(marks).map((page) => ({
      body: {action: 'mark', items: page.map(({key, ...fields}) => ({id: key, ...fields}))},
      ids: page.map(({key}) => key),
    })),
  ]
}

/** Makes the calls one after the other. Rejects with the failure of the first, or with `PartlySent`. */
export async function sendChanges(
  send: (body: object) => Promise<unknown>,
  changes: readonly ConversationChange[],
  previous: readonly ConversationChange[] = [],
): Promise<void> {
  const arrivedIds: string[] = []
  for (const {body, ids} of callsOf(changes, previous)) {
    try {
      await send(body)
    } catch (error) {
      throw arrivedIds.length === 0 ? error : new PartlySent(arrivedIds, error)
    }
    arrivedIds.push(...ids)
  }
}
