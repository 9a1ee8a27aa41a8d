import type {SiteFormSnapshot} from './site-form.machine.ts'

export const selectSite = ({context}: SiteFormSnapshot) => context.site
export const selectDraft = ({context}: SiteFormSnapshot) => context.draft
export const selectFailure = ({context}: SiteFormSnapshot) => context.failure
export const selectImage = ({context}: SiteFormSnapshot) => context.image
export const selectCanSave = (snapshot: SiteFormSnapshot) => snapshot.can({type: 'form.save'})
/** Another admin saved since the site was read: this draft will never be taken. */
export const selectIsStale = ({context}: SiteFormSnapshot) => context.failure?.status === 409
