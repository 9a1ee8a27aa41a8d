import {messageLoaders, partLoaders} from 'virtual:message-loaders'
import type {EnglishWords} from '#features/chat/matching-models.ts'
import {loadPart} from '#ui/load-part.ts'

const loads = new Map<string, Promise<EnglishWords>>()

async function read(parts: readonly ('commands' | 'thread')[]): Promise<EnglishWords> {
  const files = await loadPart(() =>
    Promise.all([messageLoaders['en']?.(), ...parts.map((part) => partLoaders[part]('en'))]),
  )
  const messages = Object.assign({}, ...files.map((file) => file?.default)) as NonNullable<(typeof files)[0]>['default'] // as: one map of the same shape
  return (id) => {
    const [part] = messages[id] ?? []
    return part !== undefined && 'value' in part && typeof part.value === 'string' ? part.value : undefined
  }
}

/**
 * English messages of the first screen and these parts, for searching in every language. Without them the search uses
 * the page's language only.
 */
export function englishWords(parts: readonly ('commands' | 'thread')[]): Promise<EnglishWords> {
  const key = parts.join()
  const load = loads.get(key) ?? read(parts).catch(() => () => undefined)
  loads.set(key, load)
  return load
}
