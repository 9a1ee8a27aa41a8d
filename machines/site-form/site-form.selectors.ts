import {isChangedDraft, withDraft} from '#domain/site-draft.ts'
import type {SiteFormSnapshot} from './site-form.machine.ts'
import type {KeptChanges} from './site-form.types.ts'

export const selectSite = ({context}: SiteFormSnapshot) => context.site
export const selectDraft = ({context}: SiteFormSnapshot) => context.draft
export const selectFailure = ({context}: SiteFormSnapshot) => context.failure
export const selectImage = ({context}: SiteFormSnapshot) => context.image
export const selectCanSave = (snapshot: SiteFormSnapshot) => snapshot.can({type: 'form.save'})
/** Something would be lost by leaving: a change that is not saved, an image on its way. */
export const selectIsChanged = (snapshot: SiteFormSnapshot) => {
  const {site, draft, toolIds} = snapshot.context
  return (
    snapshot.matches({open: 'uploading'}) ||
    (site !== undefined && draft !== undefined && isChangedDraft(site, draft, toolIds))
  )
}
/** Changes that would be lost with the page, apart from uploads on their way. */
export const selectChanges = (snapshot: SiteFormSnapshot): KeptChanges | undefined => {
  const {site, draft, toolIds} = snapshot.context
  return site !== undefined && draft !== undefined && isChangedDraft(site, draft, toolIds)
    ? {read: site, changed: withDraft(site, draft, toolIds)}
    : undefined
}
/** Another admin or tab has saved since the reading: the changes are applied to that site and wait to be saved. */
export const selectIsMerged = (snapshot: SiteFormSnapshot) => snapshot.matches({open: {editing: 'merged'}})
