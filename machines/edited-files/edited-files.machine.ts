import {fromEventObservable, setup, type Subscribable} from 'xstate'
import {unfilledAction} from '#machines/lib/ports.ts'
import type {EditedFilesEvent, FilesSeen} from './edited-files.types.ts'

const ofEvent = <Event>({event}: {event: Event}) => event

const editedFilesSetup = (files: Subscribable<FilesSeen>) =>
  setup({
    types: {events: {} as EditedFilesEvent},
    actors: {seenFiles: fromEventObservable<FilesSeen, undefined>(() => files)},
    guards: {
      isChanged: (_, {isChanged}: {isChanged: boolean}) => isChanged,
      isSame: (_, {isChanged}: {isChanged: boolean}) => !isChanged,
      hasWords: (_, {hasWords}: {hasWords: boolean}) => hasWords,
    },
    actions: {
      /** Port: the files are a draft, and are opened. */
      openFiles: () => unfilledAction('openFiles'),
      /** Port: the editor is there again with its words, also where those are as they were sent. */
      keepWords: () => unfilledAction('keepWords'),
      /** Port: words as they were sent keep no editor. */
      dropWords: () => unfilledAction('dropWords'),
      /** Port: the files are no draft any more, and none of them comes. */
      dropFiles: () => unfilledAction('dropFiles'),
    },
  })

/**
 * The files of a sent message in its editor. They wait with the words of the edit, also where nothing but them is
 * changed, and go when the editor goes without words: it was cancelled or sent, or changed nothing. Owned by the
 * editor.
 * @param files says at once, and whenever it changes, whether they are others than those that were sent
 */
export const createEditedFilesMachine = (files: Subscribable<FilesSeen>) =>
  editedFilesSetup(files).createMachine({
    id: 'editedFiles',
    initial: 'away',
    states: {
      away: {on: {'editor.entered': {target: 'there'}}},
      there: {
        entry: ['openFiles'],
        invoke: {
          id: 'seenFiles',
          src: 'seenFiles',
          // reading a store cannot fail
          onError: {},
        },
        on: {
          'editor.left': [
            {guard: {type: 'hasWords', params: ofEvent}, target: 'away'},
            {target: 'away', actions: ['dropFiles']},
          ],
        },
        initial: 'unchanged',
        states: {
          unchanged: {on: {'files.seen': {guard: {type: 'isChanged', params: ofEvent}, target: 'changed'}}},
          changed: {
            entry: ['keepWords'],
            on: {
              'files.seen': {guard: {type: 'isSame', params: ofEvent}, target: 'unchanged', actions: ['dropWords']},
            },
          },
        },
      },
    },
  })
