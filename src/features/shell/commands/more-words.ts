import {serbianLatin} from '#domain/serbian-latin.ts'
import type {CommandGroup} from './command-entry.ts'

/** By the English name of a command: what else one calls it, as a message of the namespace `words`. */
const otherWords: readonly (readonly [name: RegExp, words: string])[] = [
  [/^new chat/, 'newChat'],
  [/message field/, 'messageField'],
  [/copy the last answer/, 'copyAnswer'],
  [/find in conversation/, 'find'],
  [/search conversations/, 'searchList'],
  [/^stop\b/, 'stop'],
  [/^undo\b/, 'undo'],
  [/the panel/, 'panel'],
  [/^settings/, 'settings'],
  [/^settings:? general/, 'general'],
  [/^settings:? chat/, 'chat'],
  [/^settings:? appearance/, 'appearance'],
  [/^settings:? data/, 'data'],
  [/^settings:? keys|^keyboard shortcuts/, 'keys'],
  [/^theme/, 'theme'],
  [/^theme:? dark/, 'dark'],
  [/^theme:? light/, 'light'],
  [/^theme:? system/, 'system'],
  [/^(settings:? )?language/, 'language'],
  [/^import/, 'import'],
  [/export/, 'export'],
  [/^applications/, 'applications'],
  [/^orders/, 'orders'],
  [/^usage/, 'usage'],
  [/^rewards/, 'rewards'],
  [/^invite\b/, 'invite'],
  [/^invitees/, 'invitees'],
  [/^profile/, 'profile'],
  [/^ask several/, 'several'],
  [/^shared links/, 'sharedLinks'],
  [/^site$/, 'site'],
  [/^log out/, 'signOut'],
  [/^print/, 'print'],
  [/^(delete|remove)/, 'delete'],
  [/^rename/, 'rename'],
  [/^share/, 'share'],
  [/^(un)?pin/, 'pin'],
  [/^show the archive/, 'archiveView'],
  [/^show the archive/, 'conversation'],
  [/^archive|out of the archive$/, 'archive'],
  [/^labels/, 'labels'],
  [/^select/, 'select'],
  [/^instructions/, 'instructions'],
  [/^answer again/, 'again'],
  [/^(choose a model|answer .*model)/, 'otherModel'],
  [/^read aloud/, 'readAloud'],
  [/^what happened/, 'whatHappened'],
  [/^branch/, 'branch'],
  [/^questions/, 'outline'],
  [/^edit/, 'edit'],
  [/^copy/, 'copy'],
  [/^save as a file/, 'code'],
  [/^image$/, 'image'],
  [/^video$/, 'video'],
  [/^music$/, 'music'],
  [/history$/, 'history'],
]

/** The tool of a command, taken from its id. */
const toolInId = /^(?:tool|history|model)\/(\w+)/

/** Text of users and models is not taken for the name of a command. */
const theirs: ReadonlySet<string> = new Set(['conversations', 'tasks', 'models'])

type Words = {
  /** The English of a text in another language. */
  english: (text: string) => string | undefined
  /** A message of the namespace `words`, in the language of the page and in English. */
  others: (id: string) => string
}

/**
 * The group with the words that find its commands beside their names: the heading, as in *share conversation*, and what
 * else one calls them, in the language of the page and in English.
 */
export function withMoreWords(group: CommandGroup, {english, others}: Words): CommandGroup {
  const synonyms = group.id === 'conversation' ? others('conversation') : ''
  const heading = `${group.heading} ${english(group.heading) ?? ''} ${synonyms}`
  return {
    ...group,
    entries: group.entries.map((entry) => {
      const name = (entry.words || entry.label).toLowerCase()
      const matching = theirs.has(group.id) ? [] : otherWords.filter(([pattern]) => pattern.test(name))
      const tool = toolInId.exec(entry.id)?.[1]
      const ids = [...matching.map(([, id]) => id), ...(tool === undefined ? [] : [tool])]
      return {...entry, moreWords: [heading, entry.moreWords ?? '', ...ids.map(others)].join(' ')}
    }),
  }
}

/** The group in Serbian, whose commands are found in Latin letters as well. */
export const withLatin = (group: CommandGroup): CommandGroup => ({
  ...group,
  entries: group.entries.map((entry) => {
    const words = entry.moreWords ?? ''
    return {...entry, hasLatin: true, moreWords: `${words} ${serbianLatin(`${entry.label} ${words}`)}`}
  }),
})
