import {expect} from '@playwright/test'
import {leavesOf, where, type Chart} from './chart-walk.ts'
import {
  button,
  choosing,
  dialog,
  failed,
  hasChoice,
  isCopied,
  nothingDeleted,
  open,
  saved,
  says,
  sent,
  type Eyes,
  type Hands,
  type Snapshot,
} from './export-dialog.ts'
import {goOn, refuseWith, type HeldRoute} from './held-route.ts'

/* An export of what the server has, in whose conversation something is deleted: it waits for that. */

type WaitingAction = 'export' | 'cancel' | 'deletions are done' | 'deletions are refused'
type WaitingShown = `json: ${'choosing' | 'packing.deleting' | 'failed' | 'saved'}`

export const waitingChart: Chart<Snapshot, WaitingAction, WaitingShown> = {
  start: () => sent(open([], false), {type: 'form.choose', form: 'json'}),
  effects: {
    export: where(
      ({dialog}) => dialog.matches('choosing') || dialog.matches('failed'),
      (snapshot) => sent(snapshot, {type: 'export.start'}),
    ),
    cancel: where(isCopied, (snapshot) => sent(snapshot, {type: 'export.cancel'})),
    'deletions are done': where(isCopied, (snapshot) => ({
      ...sent(snapshot, nothingDeleted, {type: 'xstate.done.actor.saveConversations'}),
      saved: ['one.json'],
    })),
    'deletions are refused': where(isCopied, (snapshot) =>
      sent(snapshot, {
        type: 'xstate.done.actor.pendingDeletions',
        output: {failure: {code: 'conflict', detail: 'foo', status: 409}},
      }),
    ),
  },
  // as: the server's copy is not held
  shownBy: ({dialog: {value}}) => `json: ${leavesOf(value)[0]}` as WaitingShown,
}

type WaitingHands = Hands & {deletions: HeldRoute}

export const doneWaiting: {[Name in WaitingAction]: (hands: WaitingHands) => Promise<unknown>} = {
  export: (hands) => button(hands, 'Export').click(),
  // who leaves only stops waiting: the deletion goes on
  cancel: (hands) => button(hands, 'Cancel').click(),
  'deletions are done': ({deletions}) => deletions.let(goOn),
  'deletions are refused': async (hands) => {
    // those that were asked for before the export was cancelled, and after
    await hands.deletions.let(refuseWith(409, 'conflict'))
    await expect(dialog(hands).getByRole('alert')).toBeVisible()
    hands.deletions.hold()
  },
}

const waits: Eyes = async (hands, snapshot) => {
  await hasChoice(hands, snapshot, false)
  await says(hands, 'Conversations read: 0 of 1')
  await expect(button(hands, 'Export')).toHaveAttribute('aria-disabled', 'true')
  expect(hands.versions.asked).toBe(0)
}
export const expectedWaiting: {[Name in WaitingShown]: (hands: WaitingHands, snapshot: Snapshot) => Promise<unknown>} =
  {
    'json: choosing': choosing,
    'json: failed': failed,
    'json: saved': saved,
    'json: packing.deleting': async (hands, snapshot) => {
      await hands.deletions.waitForOne()
      await waits(hands, snapshot)
    },
  }
