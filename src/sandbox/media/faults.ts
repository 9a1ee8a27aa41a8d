import type {ErrorKind} from '#domain/error-kinds.ts'
import {errorCommandKinds} from '../commands.ts'

/** Duration of a prompt with a command; the rest of the prompt is used as usual. */
export type Pace = 'usual' | 'slow' | 'never'

/** Midjourney's prompts have reference addresses before the words, and flags after them. */
const commandPattern = /^\s*(?:https?:\/\/\S+\s+)*\/(error|slow|never)\b([\s\S]*)$/i

const commandOf = (prompt: string) => {
  const [, name = '', rest = ''] = commandPattern.exec(prompt) ?? []
  return {name: name.toLowerCase(), rest: rest.trim()}
}

/**
 * The failure that a prompt requests: `/error busy`, and so on for every kind of error of the chat's sandbox. `/error`
 * alone or with another word is `bad_request` and lists them. Undefined for other prompts.
 */
export function sandboxFault(prompt: string): {code: ErrorKind | 'forbidden'; detail: string} | undefined {
  const {name, rest} = commandOf(prompt)
  if (name !== 'error') return undefined
  const word = /^[a-z_]+/i.exec(rest)?.[0].toLowerCase()
  const code = errorCommandKinds.find((kind) => kind === word)
  if (code === undefined) {
    const list = errorCommandKinds.map((kind) => `/error ${kind}`).join(', ')
    return {code: 'bad_request', detail: `Name the kind of error you want to see: ${list}`}
  }
  return {code, detail: `The sandbox fails with this error because you asked for it: /error ${code}`}
}

/** `/slow` takes about 20 seconds, `/never` does not end. */
export function sandboxPace(prompt: string): Pace {
  const {name} = commandOf(prompt)
  return name === 'slow' || name === 'never' ? name : 'usual'
}

/** The prompt without its command. */
export function promptWithoutCommand(prompt: string): string {
  const {name, rest} = commandOf(prompt)
  return name === '' ? prompt : rest
}
