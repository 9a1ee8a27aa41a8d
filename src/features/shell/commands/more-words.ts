import type {CommandGroup} from './command-entry.ts'

/** By the English name of a command: other English words for it. */
const otherWords: readonly (readonly [name: RegExp, words: string])[] = [
  [/^new chat/, 'start begin open create conversation clear'],
  [/message field/, 'write ask prompt composer input attach upload files'],
  [/copy the last answer/, 'reply response clipboard'],
  [/find in conversation/, 'search text page'],
  [/search conversations/, 'find chats messages history'],
  [/^stop\b/, 'cancel abort end generating answering'],
  [/^undo\b/, 'revert restore back'],
  [/the panel/, 'sidebar menu collapse expand toggle'],
  [/^settings/, 'preferences options configuration'],
  [/^settings:? general/, 'notifications notify alerts'],
  [/^settings:? chat/, 'prompts templates custom instructions system prompt enter send key'],
  [/^settings:? appearance/, 'theme dark light mode colours colors'],
  [/^settings:? data/, 'export import backup download delete clear storage device privacy shared links'],
  [/^settings:? keys|^keyboard shortcuts/, 'shortcuts hotkeys bindings keyboard help'],
  [/^theme/, 'mode change switch appearance colours colors'],
  [/^theme:? dark/, 'night black'],
  [/^theme:? light/, 'day bright white'],
  [/^theme:? system/, 'automatic device'],
  [/^(settings:? )?language/, 'change switch translate locale'],
  [/^import/, 'upload restore backup history'],
  [/export/, 'download save backup file chats'],
  [/^applications/, 'credits balance top up buy add payment billing price plan api keys tokens console'],
  [/^orders/, 'payments billing invoices receipts purchases bought'],
  [/^usage/, 'costs spent spending credits statistics billing'],
  [/^invite/, 'referrals refer friends link share earn'],
  [/^profile/, 'account password email avatar name sessions devices user delete sign-in'],
  [/^ask several/, 'compare side by side models'],
  [/^shared links/, 'public sharing revoke'],
  [/^site$/, 'brand logo title domain'],
  [/^log out/, 'logout sign out leave exit account'],
  [/^print/, 'pdf paper save'],
  [/^(delete|remove)/, 'delete remove erase trash bin'],
  [/^rename/, 'title name change'],
  [/^share/, 'link public publish'],
  [/^(un)?pin/, 'favourite favorite star'],
  [/^labels/, 'tags folders categories'],
  [/^select/, 'several multiple bulk'],
  [/^instructions/, 'custom system prompt'],
  [/^answer again/, 'regenerate retry redo another'],
  [/^(choose a model|answer .*model)/, 'regenerate retry switch another'],
  [/^read aloud/, 'speak voice listen speech'],
  [/^what happened/, 'trace details debug log error time'],
  [/^branch/, 'fork split'],
]

/** Text of users and models is not taken for the name of a command. */
const theirs: ReadonlySet<string> = new Set(['conversations', 'tasks', 'models'])

/**
 * The group with the words that find its commands beside their names: the heading, as in *share conversation*, and what
 * else one calls them in English. `english`: the English of a text in another language.
 */
export function withMoreWords(group: CommandGroup, english: (text: string) => string | undefined): CommandGroup {
  const heading = `${group.heading} ${english(group.heading) ?? ''}`
  return {
    ...group,
    entries: group.entries.map((entry) => {
      const name = (entry.words || entry.label).toLowerCase()
      const others = theirs.has(group.id) ? [] : otherWords.filter(([pattern]) => pattern.test(name))
      return {...entry, moreWords: [heading, entry.moreWords ?? '', ...others.map(([, words]) => words)].join(' ')}
    }),
  }
}
