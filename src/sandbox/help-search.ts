type HelpSection = {page: string; title: string; body: string}
type HelpPage = {name: string; title: string; text: string}

const sources = import.meta.glob<string>('./help/*.md', {query: '?raw', import: 'default', eager: true})
const names = 'getting-started models conversations files credits errors administration privacy sandbox'.split(' ')

/** Pages in reading order, by the name for `/help <name>`. */
export const helpPages: readonly HelpPage[] = names.map((name) => {
  const text = (sources[`./help/${name}.md`] ?? '').trim()
  return {name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text}
})

export const findHelpPage = (name: string): HelpPage | undefined => {
  const search = name.trim().toLowerCase()
  return helpPages.find((page) => page.name === search || page.title.toLowerCase() === search)
}

/** Stop words. */
const common = new Set(
  `a about an and are as at be been but by can could did do does for from get had happen happens has have here how i if in
  into is it its just like make may me mean means might my no of on or our please shall should show so some tell than that
  the their them then there these they this to too up us want was we were what when where which while who why will with
  would you your atrium s t m re ve ll`.split(/\s+/),
)

/** Words of users, and the words of the pages for them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  backup: ['back', 'restore'],
  connect: ['add', 'provider'],
  forgot: ['forgotten'],
  install: ['start'],
  llm: ['model'],
  logout: ['sign', 'out'],
  lose: ['lost'],
  login: ['sign'],
  network: ['connection'],
  not: ['cannot'],
  offline: ['lost', 'connection'],
  pay: ['cost', 'credit'],
  photo: ['image', 'images'],
  pictur: ['image', 'images'], // the stem of the plural
  picture: ['image', 'images'],
  price: ['cost'],
  remove: ['delete'],
  switch: ['change', 'choose'],
  upload: ['attach', 'file'],
}

/** The significant words of a text, plurals as singulars. Names such as `used_up` are one word. */
const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !common.has(word)).map(stem)
const stem = (word: string): string => word.replace(/(?<=..)(?:ies|es|s)$/, '')

/** Each word of a short title counts more than one of a long title. */
const weightOf = {title: (words: number) => 4 + 4 / words, page: () => 1.5, body: () => 1}

/** Each section with the weights of its words. */
const sections = helpPages.flatMap(({title: page, text}) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const section: HelpSection = {page, title: title.trim(), body: lines.join('\n').trim()}
      const terms = new Map<string, number>()
      for (const field of ['title', 'page', 'body'] as const) {
        const words = new Set(termsOf(section[field]))
        for (const word of words) terms.set(word, (terms.get(word) ?? 0) + weightOf[field](words.size))
      }
      return {section, terms}
    }),
)

/** A word in few sections counts more than one in many. */
const rarity = (term: string) =>
  Math.log(1 + sections.length / (1 + sections.filter(({terms}) => terms.has(term)).length))

/** A section that covers at most half of the question's words does not match. */
const leastCoverage = 0.5

export type HelpAnswer = {best: HelpSection; others: readonly HelpSection[]}

/** The best matching section, and up to three more. */
export function searchHelp(question: string): HelpAnswer | undefined {
  const askedTerms = termsOf(question.slice(0, 1000)).map((term) => [term, ...(synonyms[term] ?? []).map(stem)])
  const sectionMatches = sections
    .map(({section, terms}) => {
      const scores = askedTerms.map((words) =>
        words.reduce((sum, word) => sum + (terms.get(word) ?? 0) * rarity(word), 0),
      )
      const matchCount = scores.filter((score) => score > 0).length
      return {section, coverage: matchCount / askedTerms.length, score: scores.reduce((sum, score) => sum + score, 0)}
    })
    .filter(({coverage}) => coverage > leastCoverage)
    .sort((one, other) => other.score - one.score)
  const [best, ...rest] = sectionMatches
  if (best === undefined) return undefined
  const others = rest.filter(({score}) => score >= best.score / 3).slice(0, 3)
  return {best: best.section, others: others.map(({section}) => section)}
}
