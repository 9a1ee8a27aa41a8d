import {initialTransition, type SnapshotFrom} from 'xstate'
import {
  savedPromptsMachine,
  type SavedPromptsRecord,
  type PromptChange,
  type SavedPromptsEvent,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {sender, where, type Chart} from './chart-walk.ts'

/* The settings of the chat and their user's actions, over the machine of the saved prompts. */

export type Action =
  | 'read'
  | 'fail to read'
  | 'retry'
  | 'reopen'
  | 'reload the page'
  | 'save'
  | 'cancel'
  | 'remove'
  | 'undo'
  | 'instruct'
  | 'taken'
  | 'refused'
type Rows = 'none' | 'one' | 'removed'
/** `form`: a prompt that is being written stays in its form until the server has it. */
type Held = 'none' | 'form' | 'one'
export type Shown =
  | `${'loading' | 'failed'} ${Held}`
  | `${'resting' | 'reloading'} ${Rows | 'form'}${'' | ': refused'}`
  | 'saving'
  | 'removing'
  | 'restoring'
  | `instructing ${Rows}`
type PartSnapshot = SnapshotFrom<typeof savedPromptsMachine>
/** The prompts on the server and a form that was typed and not saved outlive a reload of the page. */
export type Snapshot = {part: PartSnapshot; stored: SavedPromptsRecord; typed?: string | undefined}

const send = sender(savedPromptsMachine)
const first = (): PartSnapshot => initialTransition(savedPromptsMachine)[0]
export const prompt = {id: 'a', name: 'Translate', text: 'Put this into French:'}
const conflict = {code: 'conflict', detail: 'foo', status: 409}

export const hasForm = ({part}: Snapshot) => part.matches({form: 'open'})
const isReady = ({part}: Snapshot) => part.matches({server: 'ready'})
const isResting = ({part}: Snapshot) => part.matches({server: {ready: 'still'}})
const isReading = ({part}: Snapshot) =>
  part.matches({server: 'loading'}) || part.matches({server: {ready: 'reloading'}})
const isWriting = ({part}: Snapshot) => part.matches({server: 'writing'})
const hasFailed = ({part}: Snapshot) => part.matches({server: 'failed'})
const has = (rows: Rows) => (snapshot: Snapshot) => isReady(snapshot) && rowsOf(snapshot) === rows
const then =
  (...events: SavedPromptsEvent[]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, part: send(snapshot.part, ...events)})
const ends = (snapshot: Snapshot, ...events: Parameters<typeof send>[1][]) => send(snapshot.part, ...events)

function rowsOf({part: {context}}: Snapshot): Rows {
  if (context.prompts.length > 0) return 'one'
  return context.removed.length > 0 ? 'removed' : 'none'
}

/** Returns the prompts of the server after a change that it accepted. */
function storedAfter(stored: SavedPromptsRecord, change: PromptChange | undefined): SavedPromptsRecord {
  if (change?.type === 'prompt.save') return {...stored, prompts: [change.prompt]}
  if (change?.type === 'prompt.remove') return {...stored, prompts: []}
  return change === undefined ? stored : {...stored, instructions: change.text}
}
export const nextInstructions = ({stored}: Snapshot) => `${stored.instructions} Be brief.`.trim()

function shownBy(snapshot: Snapshot): Shown {
  const {part, stored} = snapshot
  const rows = rowsOf(snapshot)
  if (isWriting(snapshot)) {
    if (part.context.change?.type === 'instructions.save') return `instructing ${rows}`
    return hasForm(snapshot) ? 'saving' : rows === 'one' ? 'removing' : 'restoring'
  }
  if (part.matches({server: 'loading'}) || hasFailed(snapshot))
    return `${hasFailed(snapshot) ? 'failed' : 'loading'} ${hasForm(snapshot) ? 'form' : stored.prompts.length > 0 ? 'one' : 'none'}`
  const refused = part.context.failure === undefined ? '' : ': refused'
  return `${isResting(snapshot) ? 'resting' : 'reloading'} ${hasForm(snapshot) ? 'form' : rows}${refused}`
}

export const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({part: first(), stored: {prompts: [], instructions: ''}}),
  shownBy,
  effects: {
    read: where(isReading, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.done.actor.loadKept', output: snapshot.stored}),
    })),
    'fail to read': where(isReading, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.error.actor.loadKept', error: conflict}),
    })),
    retry: where(hasFailed, then({type: 'prompts.load'})),
    reopen: where(
      (snapshot) => isResting(snapshot) || hasFailed(snapshot) || (isWriting(snapshot) && hasForm(snapshot)),
      then({type: 'prompts.load'}),
    ),
    'reload the page': where(isResting, (snapshot) => ({
      ...snapshot,
      part: send(first(), {type: 'prompts.load', draft: snapshot.part.context.edited}),
    })),
    // a list may have many; one shows what many do
    save: where(
      has('none'),
      then({type: 'prompt.edit', prompt}, {type: 'prompt.type', prompt}, {type: 'prompt.save', prompt}),
    ),
    cancel: where((snapshot) => hasForm(snapshot) && isReady(snapshot), then({type: 'prompt.cancel'})),
    remove: where(has('one'), then({type: 'prompt.remove', id: prompt.id})),
    undo: where(has('removed'), then({type: 'prompt.restore'})),
    // beside the form nothing of it differs
    instruct: where(
      (snapshot) => isReady(snapshot) && !hasForm(snapshot),
      (snapshot) => ({
        ...then({type: 'instructions.save', text: nextInstructions(snapshot)})(snapshot),
        typed: nextInstructions(snapshot),
      }),
    ),
    taken: where(isWriting, (snapshot) => {
      const {change} = snapshot.part.context
      return {
        part: ends(snapshot, {type: 'xstate.done.actor.writeChange'}),
        stored: storedAfter(snapshot.stored, change),
        typed: change?.type === 'instructions.save' ? undefined : snapshot.typed,
      }
    }),
    refused: where(isWriting, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.error.actor.writeChange', error: conflict}),
    })),
  },
}
