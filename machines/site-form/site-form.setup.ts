import {assign, setup} from 'xstate'
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
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import type {KeptChanges, SiteFormContext, SiteFormEvent, SiteFormInput, SiteFormTag} from './site-form.types.ts'

/** Changes of the draft, applied to the site as it was read again. */
const mergedDraft = ({site, draft, toolIds}: SiteFormContext, read: Site | undefined): SiteDraft | undefined =>
  site && draft && read && mergeDrafts(draftOf(site, toolIds), draft, draftOf(read, toolIds), toolIds)

const withChanges = (site: Site, changes: KeptChanges | undefined, toolIds: readonly string[]): SiteDraft => {
  const now = draftOf(site, toolIds)
  return changes === undefined
    ? now
    : mergeDrafts(draftOf(changes.read, toolIds), draftOf(changes.changed, toolIds), now, toolIds)
}

type ImageChoice = {field: SiteImage; file: ChosenFile}

/** Ports, guards and actions of the settings of a site. */
export const siteFormSetup = setup({
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
    uploadImage: promisePort<string, {file: ChosenFile}>('uploadImage'),
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
    isRefused: (_, {file}: ImageChoice) => fileFault(file, imageRule) !== undefined,
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
    storeImage: assign((_, {field, file}: ImageChoice) => ({image: {field, file}})),
    storeFault: assign((_, {field, file}: ImageChoice) => ({image: {field, file, fault: fileFault(file, imageRule)}})),
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
})
