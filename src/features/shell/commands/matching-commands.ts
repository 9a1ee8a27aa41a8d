import {foldText} from '#domain/fold-text.ts'
import {fuzzyScore} from '#domain/fuzzy-score.ts'
import type {CommandEntry, CommandGroup} from './command-entry.ts'

/** Lines of a group while nothing is searched, and while something is. */
const most = {atRest: 6, found: 8}
const mostRecent = 5

/** Each text once: letters that lie in two copies of a name are no match. */
const textOf = ({label, words, note}: CommandEntry) =>
  foldText([...new Set([label, words, note])].filter(Boolean).join(' '))

/** Points of a letter of a word that stands among the other words; of a name it has more, of another form fewer. */
const pointsElsewhere = 2
const pointsOfForm = 1
/** A whole word there has more than letters that lie apart in a name, such as *a b o* in *Abmelden · Log out*. */
const pointsOfWholeWord = 3
/** A query without spaces that is found whole counts ten times as much as its segments. */
const factorOfSegment = 0.1
/** With two of its letters swapped: fewer than whatever is found as it is typed. */
const pointsOfSwap = {inName: 0.75, elsewhere: 0.5}
/** Too many words are made of fewer letters, and none of more. */
const swapped = {fewest: 4, most: 24}

/** Scripts that write words without spaces between them. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u
const article = 'ال'

/** Words that begin like this one; where no spaces are written, they have it anywhere. */
const standsIn = (words: string, word: string) =>
  words.includes(unspaced.test(word) && word.length > 1 ? word : ` ${word}`)

/** The same word with and without the Arabic article, and without an ending such as that of a case. */
function formsOf(word: string, hasLatin: boolean): string[] {
  if (/^\p{sc=Arabic}/u.test(word)) return [word.startsWith(article) ? word.slice(article.length) : article + word]
  if (unspaced.test(word) || word.length < 4) return []
  if (word.length >= 6) return [word.slice(0, -2)]
  // a Cyrillic ending is mostly one letter: *тема*, *тему*, in Latin letters too
  return hasLatin || /^\p{sc=Cyrillic}/u.test(word) ? [word.slice(0, -1)] : []
}

/** A word as it was meant, if two neighbours among its letters were typed in the wrong order: *exprot*. */
function swapsOf(word: string): string[] {
  const letters = [...word]
  if (letters.length < swapped.fewest || letters.length > swapped.most) return []
  return letters.slice(1).flatMap((letter, at) => {
    const before = letters[at]
    return letter === before
      ? []
      : [
          letters
            .with(at, letter)
            .with(at + 1, before ?? '')
            .join(''),
        ]
  })
}

let segmenter: Intl.Segmenter | undefined

/** The words of one text without spaces: single characters among longer ones are mostly particles. */
function wordsOf(text: string): string[] {
  // as: browsers of 2024 have none, whatever the types promise
  if (!unspaced.test(text) || (Intl.Segmenter as typeof Intl.Segmenter | undefined) === undefined) return [text]
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'word'})
  const words = [...segmenter.segment(text)].filter(({isWordLike}) => isWordLike).map(({segment}) => segment)
  const longer = words.filter((word) => word.length > 1)
  return longer.length > 0 ? longer : [text]
}

/** A query is this name itself, after what it is part of: *language* is the tab before each language. */
const pointsOfOwnName = 8

/** The name of a command without what it is part of: *Language* of *Settings: Language*. */
const isOwnName = (search: string, {label, hasLatin}: CommandEntry) =>
  [search, ...formsOf(search, hasLatin === true)].includes(foldText(label).split(': ').at(-1) ?? '')

/** How well a command is what a query means: by its name, or some words of the query by what else it is called. */
function scoreOf(search: string, entry: CommandEntry): number | undefined {
  const name = textOf(entry)
  const others = ` ${foldText(entry.moreWords ?? '')} `
  const byName = fuzzyScore(search, name)
  if (byName !== undefined) {
    const byOthers = others.includes(` ${search} `) ? search.length * pointsOfWholeWord : 0
    return Math.max(byName, byOthers) + (isOwnName(search, entry) ? pointsOfOwnName : 0)
  }
  const isIn = (word: string) => standsIn(` ${name}${others}`, word)
  const scoreOfWord = (word: string) => {
    const score = fuzzyScore(word, name)
    if (others.includes(` ${word} `)) return Math.max(score ?? 0, word.length * pointsOfWholeWord)
    if (score !== undefined) return score
    if (standsIn(others, word)) return word.length * pointsElsewhere
    if (formsOf(word, entry.hasLatin === true).some(isIn)) return word.length * pointsOfForm
    const swaps = swapsOf(word)
    if (swaps.some((swap) => standsIn(` ${name}`, swap))) return word.length * pointsOfSwap.inName
    return swaps.some(isIn) ? word.length * pointsOfSwap.elsewhere : undefined
  }
  const scoreOfSegment = (segment: string) => {
    const score = scoreOfWord(segment)
    return score === undefined ? undefined : score * factorOfSegment
  }
  const scores = search.split(/\s+/).flatMap((word) => scoreOfWord(word) ?? wordsOf(word).map(scoreOfSegment))
  return scores.includes(undefined) ? undefined : scores.reduce<number>((sum, score) => sum + (score ?? 0), 0)
}

/** Articles and prepositions, folded: before another word they say nothing of a command, though its name may have them. */
const particles: ReadonlySet<string> = new Set(
  [
    'a an the of to in on for from with my der die das dem den ein eine im am zu zum mit fur von vom auf',
    'de del la el los las un una en con por para mi le les des du au aux sur pour par di da della il lo gli per su',
    'do dos das no na em um uma i pa ett av till med w z ze dla o u za od sa',
    'в на с из и о у по за для от к со з до від од са η ο το τα τη της του για με σε στο στη απο في من علي عن الي',
  ].flatMap((words) => words.split(' ').map(foldText)),
)

/** The last word may not be typed to its end. */
const withoutParticles = (search: string) => {
  const words = search.split(/\s+/)
  return words.filter((word, index) => index === words.length - 1 || !particles.has(word)).join(' ')
}

/** More than any query can score. */
const belowAll = 1e6

const isAvailable = ({unavailable}: CommandEntry) => unavailable === undefined

/** The groups before anything is typed: of what can be run, the commands used last, then all others as they stand. */
function restingGroups(groups: readonly CommandGroup[], recent: readonly string[], heading: string): CommandGroup[] {
  const all = groups.flatMap(({entries}) => entries).filter(isAvailable)
  const recentEntries = recent.flatMap((id) => all.find((entry) => entry.id === id) ?? []).slice(0, mostRecent)
  const rest = groups.map((group) => ({
    ...group,
    entries: group.entries
      .filter((entry) => isAvailable(entry) && !recentEntries.includes(entry))
      .slice(0, most.atRest),
  }))
  return [{id: 'recent', heading, entries: recentEntries}, ...rest].filter(({entries}) => entries.length > 0)
}

type GroupScore = {group: CommandGroup; best: number}

/** The groups that hold what a query means, the best first; what cannot be run is last. */
function foundGroups(groups: readonly CommandGroup[], query: string, recent: readonly string[]): CommandGroup[] {
  const search = foldText(query.trim())
  const bare = withoutParticles(search)
  return groups
    .flatMap((group): GroupScore[] => {
      const scores = group.entries
        .flatMap((entry) => {
          const score = scoreOf(search, entry) ?? (bare === search ? undefined : scoreOf(bare, entry))
          if (score === undefined) return []
          if (!isAvailable(entry)) return [{entry, score: score - belowAll}]
          return [{entry, score: score + (recent.includes(entry.id) ? 4 : 0)}]
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

/** A word of few letters does not count where nothing is found with it: *create me an image*. */
const shortWord = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{1,3}$/u

const withoutShortWords = (query: string) =>
  query
    .split(/\s+/)
    .filter((word) => !shortWord.test(word))
    .join(' ')

/** The groups that the palette lists for a query. `recent`: ids, the last used first. */
export function matchingCommands(
  groups: readonly CommandGroup[],
  {query, recent, recentHeading}: {query: string; recent: readonly string[]; recentHeading: string},
): CommandGroup[] {
  if (query.trim() === '') return restingGroups(groups, recent, recentHeading)
  const matching = foundGroups(groups, query, recent)
  const words = withoutShortWords(query)
  return matching.length > 0 || words === '' ? matching : foundGroups(groups, words, recent)
}
