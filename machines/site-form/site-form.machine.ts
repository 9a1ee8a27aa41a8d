import type {SnapshotFrom} from 'xstate'
import type {Site} from '#contract/management.ts'
import {withDraft} from '#domain/site-draft.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {siteFormSetup} from './site-form.setup.ts'

/**
 * The settings of a site, edited by its admins (contract/screens §7) and the operators. Owned by the page `/site`, ends
 * with it.
 *
 * The site is read first, with the user's token: only editors get the list of admins; all others read only. Input is a
 * draft until it is saved as a whole site, which is then read again (`confirming`). The answer to a save decides: if
 * the reading fails, the site is as that answer says. A save without an answer, or refused as stale, may have
 * succeeded: then the draft is compared with the site (`checking`). Until the next change a save can be undone, which
 * saves the previous values. A refused save keeps the draft. If another admin or tab has saved since, the changes of
 * the draft are applied to the present site (`merged`), shown, and saved again. So are those that the tab kept while
 * its user had to sign in again (`kept`).
 */
export const siteFormMachine = siteFormSetup.createMachine({
  id: 'siteForm',
  context: ({input}) => input,
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      invoke: {
        id: 'readSite',
        src: 'readSite',
        input: ({context: {origin}}) => ({origin}),
        onDone: {target: 'deciding', actions: [{type: 'storeSite', params: ({event}) => event}, 'restoreChanges']},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'form.load': {target: 'loading', actions: ['clearFailure']}}},
    deciding: {
      always: [
        {guard: {type: 'mayEdit', params: ({context}) => ({site: context.site})}, target: 'open'},
        {target: 'readOnly'},
      ],
    },
    readOnly: {on: {'form.load': {target: 'loading'}}},
    open: {
      tags: ['open'],
      on: {
        'draft.change': {actions: [{type: 'changeDraft', params: ({event}) => event}, 'clearFailure']},
        'draft.discard': {target: '.editing', actions: ['resetDraft']},
      },
      initial: 'editing',
      states: {
        editing: {
          initial: 'changing',
          states: {
            changing: {},
            merged: {
              description: 'The site was changed elsewhere meanwhile: what was changed here is on it, and not saved.',
            },
            /** Nothing was changed since the last save. */
            saved: {
              on: {
                'draft.change': {target: 'changing', actions: [{type: 'changeDraft', params: ({event}) => event}]},
                'save.undo': {target: '#siteForm.saving', actions: ['restorePrevious']},
              },
            },
          },
          on: {
            'form.save': {guard: 'canSave', target: '#siteForm.saving', actions: ['clearFailure']},
            'image.choose': [
              {
                guard: {type: 'isRefused', params: ({event}) => event},
                actions: [{type: 'storeFault', params: ({event}) => event}],
              },
              {target: 'uploading', actions: [{type: 'storeImage', params: ({event}) => event}]},
            ],
          },
        },
        uploading: {
          invoke: {
            id: 'uploadImage',
            src: 'uploadImage',
            input: ({context: {image}}) => ({file: image?.file ?? {id: '', name: '', type: '', size: 0}}),
            onDone: {target: 'editing', actions: [{type: 'takeImage', params: ({event}) => event}]},
            onError: {target: 'editing', actions: [{type: 'storeImageFailure', params: ({event}) => event}]},
          },
          after: {
            uploadDeadline: {target: 'editing', actions: [{type: 'storeImageFailure', params: timeout}]},
          },
          on: {'image.cancel': {target: 'editing', actions: ['clearImage']}},
        },
      },
    },
    saving: {
      tags: ['busy', 'saving'],
      invoke: {
        id: 'saveSite',
        src: 'saveSite',
        input: ({context: {site, draft, toolIds}}) => ({
          site: site && draft ? withDraft(site, draft, toolIds) : {},
        }),
        onDone: {
          target: 'confirming',
          actions: [
            'storePrevious',
            {type: 'storeSite', params: ({event}) => event},
            {type: 'shareSite', params: ({event}) => ({site: event.output})},
          ],
        },
        onError: [
          {
            guard: {type: 'mayBeSaved', params: ({event}) => event},
            target: 'checking',
            actions: [{type: 'storeFailure', params: ({event}) => event}],
          },
          {target: 'open', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {callDeadline: {target: 'checking', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    checking: {
      description: 'A save failed that may have been taken: the site is read to find out.',
      tags: ['busy', 'saving'],
      invoke: {
        id: 'checkSite',
        src: 'readSite',
        input: ({context: {origin}}) => ({origin}),
        onDone: [
          {
            guard: {type: 'isAsDrafted', params: ({event}) => event},
            target: 'settling',
            actions: [
              'storePrevious',
              {type: 'storeSite', params: ({event}) => event},
              // as: the guard has seen it
              {type: 'shareSite', params: ({event}) => ({site: event.output as Site})},
            ],
          },
          {
            guard: {type: 'isChangedMeanwhile', params: ({event}) => event},
            target: 'merging',
            actions: [
              {type: 'mergeSite', params: ({event}) => event},
              'clearFailure',
              // as: the guard has seen it
              {type: 'shareSite', params: ({event}) => ({site: event.output as Site})},
            ],
          },
          {target: 'deciding', actions: [{type: 'mergeSite', params: ({event}) => event}]},
        ],
        onError: {target: 'open'},
      },
      after: {confirmDeadline: {target: 'open'}},
    },
    merging: {
      description: 'Another admin may have taken the user off the admins.',
      always: [
        {guard: {type: 'mayEdit', params: ({context}) => ({site: context.site})}, target: 'open.editing.merged'},
        {target: 'readOnly'},
      ],
    },
    confirming: {
      description: 'The site is saved; what it is now is read again.',
      tags: ['busy', 'saving'],
      invoke: {
        id: 'rereadSite',
        src: 'readSite',
        input: ({context: {origin}}) => ({origin}),
        onDone: [
          {
            guard: {type: 'isFound', params: ({event}) => event},
            target: 'settling',
            actions: [
              {type: 'storeSite', params: ({event}) => event},
              // as: the guard has seen it
              {type: 'shareSite', params: ({event}) => ({site: event.output as Site})},
            ],
          },
          {target: 'settling'},
        ],
        // the answer to the save counts
        onError: {target: 'settling'},
      },
      after: {confirmDeadline: {target: 'settling'}},
    },
    settling: {
      description: 'A user who took themselves off the admins has saved for the last time.',
      always: [
        {
          guard: {type: 'mayEdit', params: ({context}) => ({site: context.site})},
          target: 'open.editing.saved',
        },
        {target: 'readOnly'},
      ],
    },
  },
})

export type SiteFormSnapshot = SnapshotFrom<typeof siteFormMachine>
