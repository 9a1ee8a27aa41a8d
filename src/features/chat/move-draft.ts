import {mostFiles} from '#domain/attachment-limit.ts'
import {isLostFile} from '#domain/lost-file.ts'
import type {ChatPorts} from './chat.context.tsx'
import type {Draft} from './draft.types.ts'
import {moveOpening, openingFiles} from './opening-files.ts'

type DraftPorts = Pick<ChatPorts, 'drafts' | 'files'>

const filesUnder = ({drafts, files}: DraftPorts, key: string) =>
  (files.opened.get().get(key)?.count() ?? drafts.read(key)?.references.length ?? 0) + openingFiles(files.opening, key)

/** Text or files wait under a key. */
export const holdsDraft = (ports: DraftPorts, key: string) =>
  (ports.drafts.read(key)?.text ?? '') !== '' || filesUnder(ports, key) > 0

function say({files}: DraftPorts, key: string, leftOut: Draft['references']) {
  files.open(key).then(
    (uploads) => uploads.refuse(leftOut.map(({name}) => name)),
    () => undefined, // where no files can be shown none are missed
  )
}

/**
 * Adds a copy of this draft to the one under a key, if it is not there already; a message takes only so many files.
 * @returns the files that found no room
 */
export function joinDraft(ports: DraftPorts, {text, references}: Draft, to: string): Draft['references'] {
  const waiting = ports.drafts.read(to) ?? {text: '', references: []}
  const isThere = waiting.text === text || waiting.text.endsWith(`\n\n${text}`)
  const waitingUrls = new Set(waiting.references.map(({url}) => url))
  const coming = references.filter(({url}) => !waitingUrls.has(url))
  const free = Math.max(0, mostFiles - filesUnder(ports, to))
  const joinedDraft = {
    text: isThere ? waiting.text : [waiting.text, text].filter(Boolean).join('\n\n'),
    references: [...waiting.references, ...coming.slice(0, free)],
  }
  ports.drafts.write(to, joinedDraft.text === '' && joinedDraft.references.length === 0 ? undefined : joinedDraft)
  ports.files.opened.get().get(to)?.follow(joinedDraft.references)
  const leftOut = coming.slice(free)
  if (leftOut.length > 0) say(ports, to, leftOut)
  return leftOut
}

/**
 * Moves a draft to another key, where another may wait: text and files; nothing on its way is lost. If that were more
 * files than a message may have, the uploaded ones go that fit, and the others stay with their text.
 */
export function moveDraft(ports: DraftPorts, from: string, to: string) {
  const {drafts, files} = ports
  const {opened} = files
  const typedDraft = drafts.read(from) ?? {text: '', references: []}
  const movedFiles = opened.get().get(from)
  const coming = filesUnder(ports, from)
  if (coming > 0 && coming + filesUnder(ports, to) > mostFiles) {
    const uploadedFiles = typedDraft.references.filter((file) => !isLostFile(file))
    const references = [
      ...joinDraft(ports, {...typedDraft, references: uploadedFiles}, to),
      ...typedDraft.references.filter(isLostFile),
    ]
    const left = typedDraft.references.filter((file) => references.includes(file))
    drafts.write(from, {...typedDraft, references: left})
    movedFiles?.follow(left)
    return say(ports, to, references)
  }
  // without files of its own it leaves those that are on their way there alone
  const there = movedFiles && opened.get().get(to)
  const openUploads = there?.unfinished() ?? []
  there?.close()
  drafts.write(from, undefined)
  joinDraft(ports, typedDraft, to)
  moveOpening(files.opening, from, to)
  if (movedFiles === undefined) return
  const all = new Map(opened.get())
  all.delete(from)
  opened.set(all.set(to, movedFiles))
  movedFiles.follow(drafts.read(to)?.references ?? [])
  movedFiles.add(openUploads)
}
