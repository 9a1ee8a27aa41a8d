import type {Site} from '#contract/management.ts'
import type {Failure} from '#domain/failure.ts'
import type {FileFault} from '#domain/file-rules.ts'
import type {SiteImage, SiteDraft} from '#domain/site-draft.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'

/** The site as it was read, and as it was changed here: kept of a page that its user did not leave by choice. */
export type KeptChanges = {read: Site; changed: Site}

/** `origin` is what the site is read by; `toolIds` are the tools a site can turn on. */
export type SiteFormInput = {
  origin: string
  userId: string
  toolIds: readonly string[]
  kept?: KeptChanges | undefined
}

export type SiteFormEvent =
  /** Reads the site (again) and drops the draft. */
  | {type: 'form.load'}
  | {type: 'draft.change'; changes: Partial<SiteDraft>}
  | {type: 'draft.discard'}
  | {type: 'image.choose'; field: SiteImage; file: ChosenFile}
  /** Cancels the upload on its way. */
  | {type: 'image.cancel'}
  | {type: 'form.save'}
  /** Saves what the last save replaced. */
  | {type: 'save.undo'}

export type SiteFormContext = SiteFormInput & {
  site?: Site
  draft?: SiteDraft
  /** The last save, and the previous site. */
  previous?: {saved: SiteDraft; replaced: SiteDraft} | undefined
  /** Why the site could not be read or saved. */
  failure?: Failure
  /** The image that is on its way, or why the last one was not taken. */
  image?: {field: SiteImage; file: ChosenFile; fault?: FileFault; failure?: Failure}
}

/** `busy`: nothing can be typed. `open`: the form can be filled in. `saving`: a save is on its way. */
export type SiteFormTag = 'busy' | 'open' | 'saving'
