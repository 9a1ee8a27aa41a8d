import type {ValueStore} from '#browser/value-store.ts'
import type {ChatPorts} from './chat.context.tsx'
import {createUploads, type Upload, type Uploads} from './uploads.ts'

/** By the key of the draft. */
export type OpenedFiles = ReadonlyMap<string, Uploads>

export type DraftFilesDeps = Pick<ChatPorts, 'drafts'> & {
  upload: Upload
  opened: ValueStore<OpenedFiles>
  /** @returns the end of the subscription */
  onSessionEnd: (end: () => void) => () => void
}

const addressesOf = (uploads: Uploads) => uploads.references().map(({url}) => url)

/**
 * The files of a draft, until it is sent or the session ends. An upload goes on while another screen is shown; where it
 * ends meanwhile the draft is written here.
 */
export function openFiles({upload, drafts, opened, onSessionEnd}: DraftFilesDeps, key: string): Uploads {
  const known = opened.get().get(key)
  if (known !== undefined) return known
  const keyNow = () => [...opened.get()].find(([, each]) => each === uploads)?.[0]
  const uploads = createUploads(upload, () => {
    stopListening()
    opened.set(new Map([...opened.get()].filter(([, each]) => each !== uploads)))
  })
  const stopListening = onSessionEnd(() => uploads.close())
  uploads.follow(drafts.read(key)?.references ?? [])
  let written = String(addressesOf(uploads))
  uploads.subscribe(() => {
    const [at, addresses] = [keyNow(), String(addressesOf(uploads))]
    if (at === undefined || addresses === written) return
    written = addresses
    drafts.write(at, {text: '', ...drafts.read(at), references: uploads.references()})
  })
  opened.set(new Map(opened.get()).set(key, uploads))
  return uploads
}
