import {setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {Site} from '#contract/management.ts'
import {mayEditSite} from '#domain/site-editor.ts'
import {promisePort} from '#machines/lib/ports.ts'

/** `origin` is what the site is read by. */
export type SiteAccessInput = {origin: string; userId: string}
/** A view is about to show what the answer decides. */
export type SiteAccessEvent = {type: 'access.look'}
type SiteAnswer = {site: Site | undefined}

/**
 * Whether the signed-in user may change the site (contract/screens §7): the menu, the palette and the profile offer its
 * page to its editors alone. Started by the first of them, ends with the session.
 *
 * The server says so when the site is read with the user's token; until then, and where it does not answer, nobody is
 * an editor. `undecided` is the time that a menu waits for the first answer. Each further look asks again, and what was
 * found stays until the answer: the server refuses a stale editor anyway.
 */
export const siteAccessMachine = setup({
  types: {
    input: {} as SiteAccessInput,
    context: {} as SiteAccessInput,
    events: {} as SiteAccessEvent,
    tags: {} as 'editor' | 'undecided',
  },
  actors: {readSite: promisePort<Site | undefined, {origin: string}>('readSite')},
  delays: {callDeadline: 20_000, patience: 600},
  guards: {mayEdit: ({context: {userId}}, {site}: SiteAnswer) => mayEditSite(site, userId)},
}).createMachine({
  id: 'siteAccess',
  context: ({input}) => input,
  initial: 'reader',
  states: {
    reader: {
      initial: 'asking',
      states: {
        asking: {
          initial: 'early',
          invoke: {
            id: 'readSite',
            src: 'readSite',
            input: ({context: {origin}}) => ({origin}),
            onDone: [
              {guard: {type: 'mayEdit', params: ({event}) => ({site: event.output})}, target: '#siteAccess.editor'},
              {target: 'resting'},
            ],
            onError: {target: 'resting'},
          },
          after: {callDeadline: {target: 'resting'}},
          states: {
            early: {tags: ['undecided'], after: {patience: {target: 'overdue'}}},
            overdue: {},
          },
        },
        resting: {on: {'access.look': {target: 'asking.overdue'}}},
      },
    },
    editor: {
      tags: ['editor'],
      initial: 'resting',
      states: {
        resting: {on: {'access.look': {target: 'asking'}}},
        asking: {
          invoke: {
            id: 'rereadSite',
            src: 'readSite',
            input: ({context: {origin}}) => ({origin}),
            onDone: [
              {guard: {type: 'mayEdit', params: ({event}) => ({site: event.output})}, target: 'resting'},
              {target: '#siteAccess.reader.resting'},
            ],
            onError: {target: 'resting'},
          },
          after: {callDeadline: {target: 'resting'}},
        },
      },
    },
  },
})

export type SiteAccessActor = ActorRefFrom<typeof siteAccessMachine>
export type SiteAccessSnapshot = SnapshotFrom<typeof siteAccessMachine>

export const selectIsEditor = (snapshot: SiteAccessSnapshot) => snapshot.hasTag('editor')
