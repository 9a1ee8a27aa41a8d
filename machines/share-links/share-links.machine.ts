import {assign, setup, type SnapshotFrom} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {isRefusal, toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'

/** `conversation`: the server's id; without one, the links of all conversations. */
export type ShareLinksInput = {conversation: string | undefined}
export type ShareLinksEvent =
  | {type: 'links.load'}
  /** A new link to the conversation as it is now. */
  | {type: 'link.make'; attachments: boolean}
  /** A new snapshot under the same link. */
  | {type: 'link.renew'; id: string; attachments: boolean}
  | {type: 'link.revoke'; id: string}

/** `hasFiles`: whether there is a file in the one conversation whose links are read. */
export type LinkList = {links: readonly ShareLink[]; hasFiles: boolean}
export type NewLink = {conversation: string; attachments: boolean}
export type RenewedLink = {id: string; attachments: boolean}
/** The links are the newest first. */
type Context = ShareLinksInput &
  LinkList & {
    /** The link that is changed, or was changed last. */
    subject?: string | undefined
    attachments: boolean
    failure?: Failure | undefined
  }

/** The conversation of the link that is changed. */
const conversationOf = ({links, subject}: Context) => links.find(({id}) => id === subject)?.conversation_id ?? ''

const shareLinksSetup = setup({
  types: {
    input: {} as ShareLinksInput,
    context: {} as Context,
    events: {} as ShareLinksEvent,
    tags: {} as 'changing',
  },
  actors: {
    readLinks: promisePort<LinkList, ShareLinksInput>('readLinks'),
    pendingDeletions: pendingDeletionsMachine,
    makeLink: promisePort<ShareLink, NewLink>('makeLink'),
    renewLink: promisePort<ShareLink, RenewedLink>('renewLink'),
    revokeLink: promisePort<void, {id: string}>('revokeLink'),
  },
  guards: {
    hasConversation: ({context}) => context.conversation !== undefined,
    isGone: (_, {error}: {error: unknown}) => toFailure(error).status === 404,
    isLost: (_, {error}: {error: unknown}) => !isRefusal(toFailure(error)),
    hasAnother: ({context: {links}}, {output}: {output: LinkList}) =>
      output.links.some(({id}) => links.every((link) => link.id !== id)),
    hasFailed: (_, {failure}: {failure: Failure | undefined}) => failure !== undefined,
  },
  delays: {callDeadline: 20_000},
  actions: {
    storeLinks: assign((_, {output}: {output: LinkList}) => output),
    forgetFailure: assign({failure: undefined}),
    storeWish: assign((_, {id, attachments = false}: {id?: string; attachments?: boolean}) => ({
      subject: id,
      attachments,
      failure: undefined,
    })),
    putFirst: assign(({context}, {output}: {output: ShareLink}) => ({
      hasFiles: context.hasFiles || output.files === true,
      links: [output, ...context.links],
      subject: output.id,
    })),
    replace: assign(({context}, {output}: {output: ShareLink}) => ({
      hasFiles: context.hasFiles || output.files === true,
      links: context.links.map((link) => (link.id === output.id ? output : link)),
    })),
    takeOut: assign(({context}) => ({
      links: context.links.filter(({id}) => id !== context.subject),
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
})

const refusal = {
  target: '#shareLinks.resting',
  actions: [{type: 'storeFailure', params: ({event}: {event: {error: unknown}}) => event}],
} as const
const callDeadline = {target: '#shareLinks.resting', actions: [{type: 'storeFailure', params: timeout}]} as const

/** `calling` gives readers a snapshot: what was deleted in the conversation goes from the server before. */
const afterDeletions = <const Calling extends Parameters<typeof shareLinksSetup.createStateConfig>[0]>(
  conversation: (context: Context) => string,
  calling: Calling,
) =>
  shareLinksSetup.createStateConfig({
    tags: ['changing'],
    initial: 'deleting',
    states: {
      deleting: {
        invoke: {
          id: 'pendingDeletions',
          src: 'pendingDeletions',
          input: ({context}) => ({conversations: [conversation(context)]}),
          onDone: [
            {
              guard: {type: 'hasFailed', params: ({event}) => event.output},
              target: '#shareLinks.resting',
              actions: [{type: 'storeFailure', params: ({event}) => ({error: event.output.failure})}],
            },
            {target: 'calling'},
          ],
          onError: refusal,
        },
      },
      calling,
    },
  })

/**
 * The links to snapshots of one conversation, or of all. Owned by the dialog or the page that shows them, ends with it.
 *
 * One change at a time: `making`, `renewing` and `revoking` take no other. A change that failed leaves the links as
 * they were and says why until the next one; a link that is not there any more leaves the list. Where the answer to a
 * new one is lost, the links are read again: it may be there, public and unseen. A reader gets nothing that its owner
 * deleted a moment ago: a snapshot waits for the deletions of the conversation.
 */
export const shareLinksMachine = shareLinksSetup.createMachine({
  id: 'shareLinks',
  context: ({input}) => ({...input, links: [], hasFiles: false, attachments: false}),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'readLinks',
        src: 'readLinks',
        input: ({context: {conversation}}) => ({conversation}),
        onDone: {target: 'resting', actions: [{type: 'storeLinks', params: ({event}) => event}, 'forgetFailure']},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'links.load': {target: 'loading'}}},
    resting: {
      initial: 'unchanged',
      states: {
        unchanged: {},
        // what the last change was, as long as none comes after it
        made: {},
        renewed: {},
        revoked: {},
        // not renewed: it had ended before
        gone: {},
      },
      on: {
        'link.make': {
          target: 'making',
          guard: 'hasConversation',
          actions: [{type: 'storeWish', params: ({event: {attachments}}) => ({attachments})}],
        },
        'link.renew': {
          target: 'renewing',
          actions: [{type: 'storeWish', params: ({event: {id, attachments}}) => ({id, attachments})}],
        },
        'link.revoke': {target: 'revoking', actions: [{type: 'storeWish', params: ({event: {id}}) => ({id})}]},
      },
    },
    making: afterDeletions(
      ({conversation = ''}) => conversation,
      shareLinksSetup.createStateConfig({
        invoke: {
          id: 'makeLink',
          src: 'makeLink',
          input: ({context: {conversation = '', attachments}}) => ({conversation, attachments}),
          onDone: {target: '#shareLinks.resting.made', actions: [{type: 'putFirst', params: ({event}) => event}]},
          onError: [
            {
              guard: {type: 'isLost', params: ({event}) => event},
              target: '#shareLinks.checking',
              actions: [{type: 'storeFailure', params: ({event}) => event}],
            },
            refusal,
          ],
        },
        after: {
          callDeadline: {target: '#shareLinks.checking', actions: [{type: 'storeFailure', params: timeout}]},
        },
      }),
    ),
    // the server may have made the link though it did not say so
    checking: {
      tags: ['changing'],
      invoke: {
        id: 'readLinks',
        src: 'readLinks',
        input: ({context: {conversation}}) => ({conversation}),
        onDone: [
          {
            guard: {type: 'hasAnother', params: ({event}) => event},
            target: 'resting.made',
            actions: [{type: 'storeLinks', params: ({event}) => event}, 'forgetFailure'],
          },
          {target: 'resting', actions: [{type: 'storeLinks', params: ({event}) => event}]},
        ],
        onError: {target: 'resting'},
      },
      after: {callDeadline: {target: 'resting'}},
    },
    renewing: afterDeletions(
      conversationOf,
      shareLinksSetup.createStateConfig({
        invoke: {
          id: 'renewLink',
          src: 'renewLink',
          input: ({context: {subject = '', attachments}}) => ({id: subject, attachments}),
          onDone: {target: '#shareLinks.resting.renewed', actions: [{type: 'replace', params: ({event}) => event}]},
          onError: [
            {
              guard: {type: 'isGone', params: ({event}) => event},
              target: '#shareLinks.resting.gone',
              actions: ['takeOut'],
            },
            refusal,
          ],
        },
        after: {callDeadline},
      }),
    ),
    revoking: {
      tags: ['changing'],
      invoke: {
        id: 'revokeLink',
        src: 'revokeLink',
        input: ({context: {subject = ''}}) => ({id: subject}),
        onDone: {target: 'resting.revoked', actions: ['takeOut']},
        onError: [
          // by another tab, or by a call whose answer was lost
          {guard: {type: 'isGone', params: ({event}) => event}, target: 'resting.revoked', actions: ['takeOut']},
          refusal,
        ],
      },
      after: {callDeadline},
    },
  },
})

export type ShareLinksSnapshot = SnapshotFrom<typeof shareLinksMachine>
export type ShareLinks = {snapshot: ShareLinksSnapshot; send: (event: ShareLinksEvent) => void}
