import {assign, setup, type SnapshotFrom} from 'xstate'
import type {Site} from '#contract/management.ts'
import {isRefusal, toFailure} from '#domain/failure.ts'
import {fileFault} from '#domain/file-rules.ts'
import {imageRule} from '#domain/image-rule.ts'
import {
  draftFaults,
  draftOf,
  imageChange,
  isChangedDraft,
  mergeDrafts,
  withDraft,
  type SiteImage,
  type SiteDraft,
} from '#domain/site-draft.ts'
import {mayEditSite} from '#domain/site-editor.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {
  ChosenImage,
  KeptChanges,
  SiteFormContext,
  SiteFormEvent,
  SiteFormInput,
  SiteFormTag,
} from './site-form.types.ts'

/** Changes of the draft, applied to the site as it was read again. */
const mergedDraft = ({site, draft, toolIds}: SiteFormContext, read: Site | undefined): SiteDraft | undefined =>
  site && draft && read && mergeDrafts(draftOf(site, toolIds), draft, draftOf(read, toolIds), toolIds)

const withChanges = (site: Site, kept: KeptChanges | undefined, toolIds: readonly string[]): SiteDraft => {
  const now = draftOf(site, toolIds)
  return kept === undefined
    ? now
    : mergeDrafts(draftOf(kept.read, toolIds), draftOf(kept.changed, toolIds), now, toolIds)
}

type Chosen = {field: SiteImage; file: ChosenImage}

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
export const siteFormMachine = setup({
  types: {
    input: {} as SiteFormInput,
    context: {} as SiteFormContext,
    events: {} as SiteFormEvent,
    tags: {} as SiteFormTag,
  },
  actors: {
    readSite: promisePort<Site | undefined, {origin: string}>('readSite'),
    /** Writes the whole site. */
    saveSite: promisePort<Site, {site: Site}>('saveSite'),
    uploadImage: promisePort<string, {file: ChosenImage}>('uploadImage'),
  },
  delays: {callDeadline: 20_000, confirmDeadline: 5_000, uploadDeadline: 120_000},
  guards: {
    mayEdit: ({context: {userId}}, {site}: {site: Site | undefined}) => mayEditSite(site, userId),
    /** The server may have written the site: it did not answer, or it holds a later one than was read. */
    mayBeSaved: (_, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      return !isRefusal(failure) || failure.status === 409
    },
    /** The draft equals the site that was read. */
    isAsDrafted: ({context}, {output}: {output: Site | undefined}) => {
      const draft = mergedDraft(context, output)
      if (output === undefined || draft === undefined) return false
      const {toolIds} = context
      return !isChangedDraft(output, draftOf(withDraft(output, draft, toolIds), toolIds), toolIds)
    },
    isChangedMeanwhile: ({context: {site, toolIds}}, {output}: {output: Site | undefined}) =>
      site !== undefined &&
      output !== undefined &&
      (output.updated_at !== site.updated_at || isChangedDraft(output, draftOf(site, toolIds), toolIds)),
    isFound: (_, {output}: {output: Site | undefined}) => output !== undefined,
    canSave: ({context: {site, draft, toolIds}}) =>
      site !== undefined &&
      draft !== undefined &&
      isChangedDraft(site, draft, toolIds) &&
      Object.keys(draftFaults(draft)).length === 0,
    isRefused: (_, {file}: Chosen) => fileFault(file, imageRule) !== undefined,
  },
  actions: {
    storeSite: assign(({context}, {output}: {output: Site | undefined}) => ({
      site: output,
      draft: output && draftOf(output, context.toolIds),
      failure: undefined,
      image: undefined,
    })),
    /** Kept changes are applied to the present site once. */
    restoreChanges: assign(({context: {site, kept, toolIds}}) => ({
      ...(site && {draft: withChanges(site, kept, toolIds)}),
      kept: undefined,
    })),
    storePrevious: assign(({context: {site, draft, toolIds}}) => ({
      previous: site && draft && {saved: draft, replaced: draftOf(site, toolIds)},
    })),
    restorePrevious: assign(({context: {site, previous, toolIds}}) => ({
      draft: site && previous && mergeDrafts(previous.saved, previous.replaced, draftOf(site, toolIds), toolIds),
    })),
    mergeSite: assign(({context}, {output}: {output: Site | undefined}) => ({
      site: output ?? context.site,
      draft: mergedDraft(context, output) ?? context.draft,
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    changeDraft: assign(({context}, {changes}: {changes: Partial<SiteDraft>}) => ({
      draft: context.draft && {...context.draft, ...changes},
    })),
    resetDraft: assign(({context: {site, toolIds}}) => ({
      draft: site && draftOf(site, toolIds),
      failure: undefined,
      image: undefined,
    })),
    storeImage: assign((_, {field, file}: Chosen) => ({image: {field, file}})),
    storeFault: assign((_, {field, file}: Chosen) => ({image: {field, file, fault: fileFault(file, imageRule)}})),
    storeImageFailure: assign(({context}, {error}: {error: unknown}) => ({
      image: context.image && {...context.image, failure: toFailure(error)},
    })),
    takeImage: assign(({context: {draft, image}}, {output}: {output: string}) => ({
      draft: draft && image && {...draft, ...imageChange(draft, image.field, output)},
      image: undefined,
    })),
    clearImage: assign({image: undefined}),
    /** Port: gives the present site to the rest of the page. */
    shareSite: (_, _saved: {site: Site}) => unfilledAction('shareSite'),
  },
}).createMachine({
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
