import {useEffect, useEffectEvent, useRef, useState, useSyncExternalStore} from 'react'
import {lazyModule} from '#ui/use-lazy.ts'
import type {ChatPorts, UploadedReference} from './chat.context.tsx'
import type {Attachment, Uploads} from './uploads.ts'

const uploadsModule = lazyModule(() => import('./uploads.ts'))
const none: readonly Attachment[] = []
const nothingChanges = () => () => undefined

/** The files of one unsent message; their code comes with the first one. Leaving the screen ends uploads. */
export function useFiles(upload: ChatPorts['upload'], initial: readonly UploadedReference[]) {
  const [uploads, setUploads] = useState<Uploads>()
  const opening = useRef<Promise<Uploads>>(undefined)
  const attachments = useSyncExternalStore(uploads?.subscribe ?? nothingChanges, uploads?.get ?? (() => none))
  const use = (then: (uploads: Uploads) => void = () => undefined) => {
    opening.current ??= uploadsModule.load().then(({createUploads}) => {
      const made = createUploads(upload, initial)
      setUploads(made)
      return made
    })
    // without the code there are no files: a failed download goes to the error boundary, which keeps the draft
    opening.current.then(then).catch((error: unknown) =>
      setUploads(() => {
        throw error
      }),
    )
  }
  useEffect(() => {
    if (initial.length > 0) use()
    return () => void opening.current?.then((made) => made.abort())
    // eslint-disable-next-line react-hooks/exhaustive-deps -- those of the draft, once
  }, [])
  return {
    uploads,
    attachments,
    use,
    /** Those of the draft are there and not shown yet. */
    isOpening: uploads === undefined && initial.length > 0,
    references: () => uploads?.references() ?? initial,
  }
}

/** Files may be dropped anywhere on the page. What takes them comes with the first that are dragged over it. */
export function useFileDrop(
  onDrag: (isOver: boolean) => void,
  onDrop: (files: FileList, entries: (FileSystemEntry | null)[]) => void,
) {
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const listening = new AbortController()
    const listen = () => {
      uploadsModule.load().then(
        ({listenToDrops}) => listenToDrops(listening, onDrag, drop),
        () => undefined,
      )
    }
    addEventListener('dragenter', listen, {once: true, signal: listening.signal})
    return () => listening.abort()
  }, [onDrag])
}
