import {messageLoaders, partLoaders} from 'virtual:message-loaders'
import {loadPart} from '#ui/load-part.ts'
import type {MessageId} from '#ui/text.tsx'

let words: Promise<(id: MessageId) => string | undefined> | undefined

async function read(): Promise<(id: MessageId) => string | undefined> {
  const files = await loadPart(() =>
    Promise.all([messageLoaders['en']?.(), partLoaders.commands('en'), partLoaders.thread('en')]),
  )
  const messages = Object.assign({}, ...files.map((file) => file?.default)) as NonNullable<(typeof files)[0]>['default'] // as: one map of the same shape
  return (id) => {
    const [part] = messages[id] ?? []
    return part !== undefined && 'value' in part && typeof part.value === 'string' ? part.value : undefined
  }
}

/** English names of commands, by which they are found in every language. They load with the palette; without them only the others find. */
export const englishWords = () => (words ??= read().catch(() => () => undefined))
