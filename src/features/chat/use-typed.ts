import {useState} from 'react'
import {useChat, type ChatPorts} from './chat.context.tsx'

/** Keys of a text that was typed and not saved yet, and of the one that it began from. */
const typedKey = (of: string) => `instructing/${of}`
const baseKey = (of: string) => `instructing-from/${of}`

/** Forgets what was typed: it is saved. */
export function forgetTyped({drafts}: Pick<ChatPorts, 'drafts'>, of: string) {
  for (const key of [typedKey(of), baseKey(of)]) drafts.write(key, undefined)
}

/**
 * Instructions that are typed, kept with the drafts until they are saved: leaving them loses nothing.
 * @param of conversation, group of the next one, or what else has instructions
 * @param savedText the saved ones
 */
export function useTyped(of: string, savedText: string) {
  const {drafts} = useChat()
  const [typedText, setTypedText] = useState(() => drafts.read(typedKey(of))?.text)
  const [base, setBase] = useState(() => (typedText === undefined ? undefined : (drafts.read(baseKey(of))?.text ?? '')))
  const type = (text: string, from = base ?? savedText) => {
    setTypedText(text)
    setBase(from)
    forgetTyped({drafts}, of)
    if (text === '' || text === from) return
    drafts.write(typedKey(of), {text, references: []})
    drafts.write(baseKey(of), {text: from, references: []})
  }
  /** Forgets what was typed up to `newText`. */
  const settle = (newText: string) => {
    const newest = drafts.read(typedKey(of))?.text
    if (newest !== undefined && newest.trim() !== newText) return type(newest, newText)
    forgetTyped({drafts}, of)
    setTypedText(undefined)
    setBase(undefined)
  }
  return {typed: typedText, base, type, settle}
}
