import type {ValueStore} from '#browser/value-store.ts'
import {isLostFile} from '#domain/lost-file.ts'
import type {Attachment} from './attachment.ts'
import type {DraftStore} from './draft.types.ts'
import {createUploads, type Uploads, type UploadsDeps} from './draft-uploads.ts'

/** By the key of the draft. */
export type OpenedFiles = ReadonlyMap<string, Uploads>

export type DraftFilesDeps = Omit<UploadsDeps, 'onClose'> & {
  drafts: DraftStore
  opened: ValueStore<OpenedFiles>
  /** Before the page is left, the browser asks. @returns the end of that */
  askBeforeLeaving: () => () => void
  /** The other tabs know that this upload is on its way. @returns the end of that, with the address of the file */
  beginUpload: (id: string) => (url?: string) => void
}

const addressesOf = (uploads: Uploads) => uploads.references().map(({url}) => url)

/**
 * The files of a draft, until it is sent or the session ends. An upload goes on while another screen is shown; where it
 * ends meanwhile the draft is written here.
 */
export function openFiles(deps: DraftFilesDeps, key: string): Uploads {
  const {drafts, opened, askBeforeLeaving, beginUpload} = deps
  const openUploads = opened.get().get(key)
  if (openUploads !== undefined) return openUploads
  const keyNow = () => [...opened.get()].find(([, each]) => each === uploads)?.[0]
  // with the page the bytes of what is on its way are lost
  let stopAsking: (() => void) | undefined
  const askWhile = (isUploading: boolean) => {
    if (isUploading) stopAsking ??= askBeforeLeaving()
    else {
      stopAsking?.()
      stopAsking = undefined
    }
  }
  /** The ends of the uploads that the other tabs know of. */
  const ends = new Map<string, (url?: string) => void>()
  const tellOthers = (attachments: readonly Attachment[]) => {
    const uploadingIds = attachments.flatMap(({id, state}) => (state === 'uploading' ? [id] : []))
    for (const id of uploadingIds) if (!ends.has(id)) ends.set(id, beginUpload(id))
    for (const [id, end] of ends) {
      if (uploadingIds.includes(id)) continue
      ends.delete(id)
      const attachment = attachments.find((each) => each.id === id)
      end(attachment?.state === 'ready' ? attachment.url : undefined)
    }
  }
  const stopHearing = drafts.heard.subscribe(() => {
    const news = drafts.heard.get()
    if (!news?.keys.includes(keyNow() ?? '')) return
    // a file that is not here may be on its way in the tab that wrote this
    const ownAddresses = addressesOf(uploads)
    uploads.follow(
      (news.draft?.references ?? []).filter((each) => !isLostFile(each) || ownAddresses.includes(each.url)),
    )
  })
  const close = () => {
    askWhile(false)
    tellOthers([])
    stopHearing()
    opened.set(new Map([...opened.get()].filter(([, each]) => each !== uploads)))
  }
  const uploads = createUploads({...deps, onClose: close})
  uploads.follow(drafts.read(key)?.references ?? [])
  uploads.subscribe(() => askWhile(uploads.get().some(({state}) => state === 'uploading')))
  let lastWrite = String(addressesOf(uploads))
  uploads.subscribe(() => {
    const [at, addresses] = [keyNow(), String(addressesOf(uploads))]
    if (at === undefined || addresses === lastWrite) return
    lastWrite = addresses
    drafts.write(at, {text: '', ...drafts.read(at), references: uploads.references()})
  })
  // the draft goes first: a tab that follows it needs nothing more
  uploads.subscribe(() => tellOthers(uploads.get()))
  opened.set(new Map(opened.get()).set(key, uploads))
  return uploads
}
