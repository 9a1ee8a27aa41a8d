import {foldText} from '#domain/fold-text.ts'
import {fuzzyScore} from '#domain/fuzzy-score.ts'
import type {CommandEntry, CommandGroup} from './command-entry.ts'

/** Lines of a group while nothing is searched, and while something is. */
const most = {atRest: 6, found: 8}
const mostRecent = 5

/** Each text once: letters that lie in two copies of a name are no match. */
const textOf = ({label, words, note}: CommandEntry) =>
  foldText([...new Set([label, words, note])].filter(Boolean).join(' '))

/** Points of a letter of a word that stands among the other words; of a name it has more. */
const pointsElsewhere = 2

/** How well a command is what a query means: by its name, or some words of the query by what else it is called. */
function scoreOf(search: string, entry: CommandEntry): number | undefined {
  const name = textOf(entry)
  const byName = fuzzyScore(search, name)
  if (byName !== undefined || entry.moreWords === undefined) return byName
  const others = ` ${foldText(entry.moreWords)}`
  const scores = search
    .split(/\s+/)
    .map((word) => fuzzyScore(word, name) ?? (others.includes(` ${word}`) ? word.length * pointsElsewhere : undefined))
  return scores.includes(undefined) ? undefined : scores.reduce<number>((sum, score) => sum + (score ?? 0), 0)
}

/** The groups before anything is typed: the commands used last, then all others as they stand. */
function restingGroups(groups: readonly CommandGroup[], recent: readonly string[], heading: string): CommandGroup[] {
  const all = groups.flatMap(({entries}) => entries)
  const recentEntries = recent.flatMap((id) => all.find((entry) => entry.id === id) ?? []).slice(0, mostRecent)
  const rest = groups.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => !recentEntries.includes(entry)).slice(0, most.atRest),
  }))
  return [{id: 'recent', heading, entries: recentEntries}, ...rest].filter(({entries}) => entries.length > 0)
}

type GroupScore = {group: CommandGroup; best: number}

/** The groups that hold what a query means, the best first. */
function foundGroups(groups: readonly CommandGroup[], query: string, recent: readonly string[]): CommandGroup[] {
  const search = foldText(query.trim())
  return groups
    .flatMap((group): GroupScore[] => {
      const scores = group.entries
        .flatMap((entry) => {
          const score = scoreOf(search, entry)
          return score === undefined ? [] : [{entry, score: score + (recent.includes(entry.id) ? 4 : 0)}]
        })
        .sort((one, other) => other.score - one.score)
        .slice(0, most.found)
      const [first] = scores
      return first === undefined
        ? []
        : [{group: {...group, entries: scores.map(({entry}) => entry)}, best: first.score}]
    })
    .sort((one, other) => other.best - one.best)
    .map(({group}) => group)
}

/** The groups that the palette lists for a query. `recent`: ids, the last used first. */
export const matchingCommands = (
  groups: readonly CommandGroup[],
  {query, recent, recentHeading}: {query: string; recent: readonly string[]; recentHeading: string},
): CommandGroup[] =>
  query.trim() === '' ? restingGroups(groups, recent, recentHeading) : foundGroups(groups, query, recent)
