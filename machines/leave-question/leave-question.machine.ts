import {setup} from 'xstate'

export type LeaveQuestionEvent =
  /** The page is about to be left, or its user to sign out. */
  | {type: 'leave.ask'}
  /** Keeps the page and what was typed on it. */
  | {type: 'leave.stay'}
  /** Gives up what was typed. */
  | {type: 'leave.go'}
  /** The page is hidden or gone, and its question with it: nobody can answer any more. */
  | {type: 'leave.end'}

/**
 * The question before a page is left with changes that are not saved. Owned by the page with the form, ends with it:
 * who wants to leave asks, and waits until it is no longer `asked`.
 */
export const leaveQuestionMachine = setup({types: {events: {} as LeaveQuestionEvent}}).createMachine({
  id: 'leaveQuestion',
  initial: 'staying',
  states: {
    staying: {on: {'leave.ask': {target: 'asked'}}},
    asked: {
      on: {'leave.stay': {target: 'staying'}, 'leave.go': {target: 'leaving'}, 'leave.end': {target: 'leaving'}},
    },
    /** If the page is still there, the next attempt to leave asks again. */
    leaving: {on: {'leave.ask': {target: 'asked'}}},
  },
})
