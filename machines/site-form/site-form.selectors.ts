import {isChangedDraft} from '#domain/site-draft.ts'
import type {SiteFormSnapshot} from './site-form.machine.ts'

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
/** Another admin or tab saved since the site was read: what was changed here is on their site, and waits to be saved. */
export const selectIsMerged = (snapshot: SiteFormSnapshot) => snapshot.matches({open: {editing: 'merged'}})
