import {useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore} from 'react'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {lazyModule} from '#ui/use-lazy.ts'
import type {ChatPorts} from './chat.context.tsx'
import type {Uploads} from './draft-uploads.ts'
import type {Attachment} from './uploads.ts'

const uploadsModule = lazyModule(() => import('./uploads.ts'))
const none: readonly Attachment[] = []
const nothingChanges = () => () => undefined

/** The files of one unsent message; their code comes with the first one. */
export function useFiles({opened, open}: ChatPorts['files'], draftKey: string, references: readonly FileReference[]) {
  const uploads = useSyncExternalStore(opened.subscribe, () => opened.get().get(draftKey))
  const attachments = useSyncExternalStore(uploads?.subscribe ?? nothingChanges, uploads?.get ?? (() => none))
  const [, setFailure] = useState<never>()
  const [isOpening, setOpening] = useState(uploads === undefined && references.length > 0)
  if (isOpening && uploads !== undefined) setOpening(false)
  const use = (then: (uploads: Uploads) => void = () => undefined) => {
    setOpening(true)
    // without the code there are no files: a failed download goes to the error boundary, which keeps the draft
    open(draftKey)
      .then(then)
      .catch((error: unknown) =>
        setFailure(() => {
          throw error
        }),
      )
  }
  useLayoutEffect(() => {
    if (uploads !== undefined) uploads.follow(references)
    else if (references.length > 0) use()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- those of the draft, once
  }, [])
  return {
    uploads,
    attachments,
    use,
    /** Those of the draft, or new ones, are there and not shown yet. */
    isOpening,
    references: () => uploads?.references() ?? (isOpening ? references : []),
  }
}

/** Files may be dropped and pasted anywhere on the page. What takes dropped ones comes with the first that are dragged over it. */
export function useFilesOfPage(
  onDrag: (isOver: boolean) => void,
  onDrop: (files: FileList, entries: (FileSystemEntry | null)[]) => void,
  onPaste: (event: ClipboardEvent) => void,
) {
  const drop = useEffectEvent(onDrop)
  const paste = useEffectEvent(onPaste)
  useEffect(() => {
    const listening = new AbortController()
    const listen = () => {
      uploadsModule.load().then(
        ({listenToDrops}) => listenToDrops(listening, onDrag, drop),
        () => undefined,
      )
    }
    addEventListener('dragenter', listen, {once: true, signal: listening.signal})
    addEventListener('paste', (event) => paste(event), listening)
    return () => listening.abort()
  }, [onDrag])
}
