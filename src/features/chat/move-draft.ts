import type {ChatPorts} from './chat.context.tsx'

/** What waits under one key goes to what waits under another, text and files; of what is on its way nothing is lost. */
export function moveDraft({drafts, files: {opened}}: Pick<ChatPorts, 'drafts' | 'files'>, from: string, to: string) {
  const [typed, waiting] = [drafts.read(from), drafts.read(to)]
  const text = [waiting?.text, typed?.text].filter(Boolean).join('\n\n')
  const references = [...(waiting?.references ?? []), ...(typed?.references ?? [])]
  const there = opened.get().get(to)
  const unfinished = there?.unfinished() ?? []
  there?.close()
  const files = new Map(opened.get())
  const moved = files.get(from)
  drafts.write(from, undefined)
  drafts.write(to, text === '' && references.length === 0 ? undefined : {text, references})
  if (moved === undefined) return
  files.delete(from)
  opened.set(files.set(to, moved))
  moved.follow(references)
  moved.add(unfinished)
}
