import {initialTransition} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {lostContact} from '#domain/failure.ts'
import {shareLinksMachine, type ShareLinksSnapshot} from '#machines/share-links/share-links.machine.ts'
import {leavesOf, sender, where, type Chart} from './chart-walk.ts'

/** The dialog that shares a conversation, with no link and with one, as its machine says. */

type Call = 'make' | 'renew' | 'revoke'
export type Action =
  | ('read' | 'fail to read' | 'retry' | 'copy' | 'reopen' | 'make: lost' | 'renew: gone' | 'revoke: gone')
  | (Call | `${Call}: done` | `${Call}: refused`)
type Waiting = 'loading' | 'failed' | 'renewing' | 'revoking'
export type Shown =
  | `${Waiting} a link`
  | 'loading none'
  | 'failed none'
  | 'making'
  | 'checking a link'
  | `none${'' | ': revoked' | ': gone' | ': refused'}`
  | `a link${'' | ': made' | ': renewed' | ': refused'}`
/** The links on the server outlive the closed dialog. */
export type Snapshot = {dialog: ShareLinksSnapshot; stored: readonly ShareLink[]}

const send = sender(shareLinksMachine)
export const open = (stored: readonly ShareLink[]): Snapshot => ({
  dialog: initialTransition(shareLinksMachine, {conversation: 'c'})[0],
  stored,
})
const at = '2026-01-01T00:00:00.000Z'
export const link: ShareLink = {
  id: 'l',
  conversation_id: 'c',
  title: 'foo',
  attachments: false,
  created_at: at,
  updated_at: at,
}
export const refused = {code: 'conflict', detail: 'foo', status: 409}
const gone = {code: 'not_found', detail: 'foo', status: 404}

export const has = (count: number) => (snapshot: Snapshot) =>
  snapshot.dialog.matches('resting') && snapshot.dialog.context.links.length === count
const is = (state: 'loading' | 'failed' | 'making' | 'checking' | 'renewing' | 'revoking') => (snapshot: Snapshot) =>
  snapshot.dialog.matches(state)
export const sent = (snapshot: Snapshot, ...events: Parameters<typeof send>[1][]) => send(snapshot.dialog, ...events)
export const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, dialog: sent(snapshot, ...events)})
/** Nothing of the conversation is deleted. */
export const nothingDeleted = {type: 'xstate.done.actor.pendingDeletions', output: {failure: undefined}} as const
const fails = (id: string) => then({type: `xstate.error.actor.${id}`, error: refused})
/** The link has ended meanwhile. */
const findsNone =
  (id: string) =>
  (snapshot: Snapshot): Snapshot => ({
    stored: [],
    dialog: sent(snapshot, {type: `xstate.error.actor.${id}`, error: gone}),
  })

/** The conversation has no file. */
export const read = (snapshot: Snapshot): Snapshot =>
  then({type: 'xstate.done.actor.readLinks', output: {links: snapshot.stored, hasFiles: false}})(snapshot)

export const chart: Chart<Snapshot, Action, Shown> = {
  start: () => open([]),
  effects: {
    read: where((snapshot) => is('loading')(snapshot) || is('checking')(snapshot), read),
    'fail to read': where(is('loading'), fails('readLinks')),
    retry: where(is('failed'), then({type: 'links.load'})),
    // the server takes more of them; one shows what many do
    make: where(has(0), then({type: 'link.make', attachments: false}, nothingDeleted)),
    'make: done': where(is('making'), (snapshot) => ({
      stored: [link],
      dialog: sent(snapshot, {type: 'xstate.done.actor.makeLink', output: link}),
    })),
    'make: refused': where(is('making'), fails('makeLink')),
    'make: lost': where(is('making'), (snapshot) => ({
      stored: [link],
      dialog: sent(snapshot, {type: 'xstate.error.actor.makeLink', error: lostContact('foo')}),
    })),
    renew: where(has(1), then({type: 'link.renew', id: link.id, attachments: false}, nothingDeleted)),
    'renew: done': where(is('renewing'), then({type: 'xstate.done.actor.renewLink', output: link})),
    'renew: refused': where(is('renewing'), fails('renewLink')),
    'renew: gone': where(is('renewing'), findsNone('renewLink')),
    revoke: where(has(1), then({type: 'link.revoke', id: link.id})),
    'revoke: done': where(is('revoking'), (snapshot) => ({
      stored: [],
      dialog: sent(snapshot, {type: 'xstate.done.actor.revokeLink'}),
    })),
    'revoke: refused': where(is('revoking'), fails('revokeLink')),
    'revoke: gone': where(is('revoking'), findsNone('revokeLink')),
    copy: where(has(1), (snapshot) => snapshot),
    reopen: where(
      ({dialog}) => dialog.matches('resting') || dialog.matches('failed'),
      ({stored}) => open(stored),
    ),
  },
  shownBy: ({dialog, stored}) => {
    const {value, context} = dialog
    if (dialog.matches('making')) return 'making'
    const held = stored.length > 0 ? 'a link' : 'none'
    if (typeof value === 'object' && 'resting' in value) {
      if (context.failure !== undefined) return `${held}: refused`
      // as: what was done last fits what there is
      return (value.resting === 'unchanged' ? held : `${held}: ${value.resting}`) as Shown
    }
    const [state] = leavesOf(value).map((leaf) => leaf.replace('.calling', ''))
    // as: without a link nothing but the reading is waited for
    return `${state} ${held}` as Shown
  },
}
