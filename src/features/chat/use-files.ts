import {useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore} from 'react'
import {mostFiles} from '#domain/attachment-limit.ts'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {lazyModule} from '#ui/use-lazy.ts'
import type {ChatPorts} from './chat.context.tsx'
import type {FilesOpening} from './draft-files-port.ts'
import type {Uploads} from './draft-uploads.ts'
import type {Attachment} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {pastedAs, pastedTextName} from './pasted-text.ts'

const fileDrops = lazyModule(() => import('./file-drops.ts'))
const none: readonly Attachment[] = []

/** The files of one unsent message; their code comes with the first one. */
export function useFiles(
  {opened, opening, open, press}: ChatPorts['files'],
  draftKey: string,
  references: readonly FileReference[],
) {
  const uploads = useSyncExternalStore(opened.subscribe, () => opened.get().get(draftKey))
  const attachments = useSyncExternalStore(uploads?.subscribe ?? opening.subscribe, uploads?.get ?? (() => none))
  const [, setFailure] = useState<never>()
  useSyncExternalStore(opening.subscribe, opening.get)
  const isOpening = () => opening.get().some(({key}) => key === draftKey)
  const use = (then?: (uploads: Uploads) => void, newFiles?: FilesOpening['files']) => {
    // without the code there are no files: a failed download goes to the error boundary, which keeps the draft
    open(draftKey, newFiles, then).catch((error: unknown) =>
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
    /** Files of the draft, or new ones, are there and not shown yet, whichever field took them. */
    isOpening,
    press: () => (uploads === undefined ? press(draftKey) : uploads.press()),
    references: () => uploads?.references() ?? (isOpening() ? references : []),
  }
}

/** How files come into a field: chosen or dropped, and pasted. */
export function takingFiles(files: ReturnType<typeof useFiles>, model: OfferedModel | undefined) {
  const add = (list: FileList | null, entries?: (FileSystemEntry | null)[]) => {
    // the browser empties both when the event is over
    const newFiles = [...(list ?? [])]
    files.use((draftFiles) => draftFiles.add(newFiles, entries), newFiles)
  }
  /** `isInField`: into the field itself, where a long text becomes a file if the message may have one more. */
  const paste = (event: Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'>, isInField = true) => {
    const {clipboardData} = event
    if (clipboardData === null) return
    const pastedText = clipboardData.getData('text')
    const as = pastedAs(clipboardData, pastedText, model)
    if (as === 'files') add(clipboardData.files)
    else if (as === 'textFile' && isInField && (files.uploads?.count() ?? 0) < mostFiles) {
      const texts = [{name: pastedTextName}]
      // empty once the text is taken out of the row
      files.use((draftFiles) => texts.forEach(() => draftFiles.addText(pastedText)), texts)
    } else return
    event.preventDefault()
  }
  return {add, paste}
}

/** Files may be dropped and pasted anywhere. What takes dropped ones comes with the first that are dragged. */
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
      fileDrops.load().then(
        ({listenToDrops}) => listenToDrops(listening, onDrag, drop),
        () => undefined,
      )
    }
    addEventListener('dragenter', listen, {once: true, signal: listening.signal})
    addEventListener('paste', (event) => paste(event), listening)
    return () => listening.abort()
  }, [onDrag])
}
