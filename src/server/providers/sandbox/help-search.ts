import MiniSearch from 'minisearch'
import administration from './help/administration.md?raw'
import conversations from './help/conversations.md?raw'
import credits from './help/credits.md?raw'
import errors from './help/errors.md?raw'
import files from './help/files.md?raw'
import gettingStarted from './help/getting-started.md?raw'
import models from './help/models.md?raw'
import privacy from './help/privacy.md?raw'
import sandbox from './help/sandbox.md?raw'

export type HelpSection = {id: string; page: string; title: string; body: string}
export type HelpPage = {name: string; title: string; text: string}

const sources = {
  'getting-started': gettingStarted,
  models,
  conversations,
  files,
  credits,
  errors,
  administration,
  privacy,
  sandbox,
}

/** Pages in reading order, by the name that `/help <name>` takes. */
export const helpPages: readonly HelpPage[] = Object.entries(sources).map(([name, text]) => ({
  name,
  title: /^# (.+)$/m.exec(text)?.[1] ?? name,
  text: text.trim(),
}))

const sections: readonly HelpSection[] = helpPages.flatMap(({name, title: page, text}) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part, index) => {
      const [title = '', ...lines] = part.split('\n')
      return {id: `${name}.${index}`, page, title: title.trim(), body: lines.join('\n').trim()}
    }),
)
const byId = new Map(sections.map((section) => [section.id, section]))

/** Words that say nothing about what a question is about. */
const common = new Set(
  `a about an and are as at be been but by can could did do does for from get had happen happens has have here how i if in
  into is it its just like make may me mean means might my no of on or our please shall should show so some tell than that
  the their them then there these they this to too up us want was we were what when where which while who why will with
  would you your atrium s t m re ve ll`.split(/\s+/),
)

/** What people say, and what the pages say. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  backup: ['back', 'restore'],
  connect: ['add', 'provider'],
  install: ['start'],
  llm: ['model'],
  logout: ['sign', 'out'],
  lose: ['lost'],
  login: ['sign'],
  not: ['cannot'],
  offline: ['lost', 'connection'],
  pay: ['cost', 'credit'],
  price: ['cost'],
  remove: ['delete'],
  switch: ['change', 'choose'],
  upload: ['attach', 'file'],
}

/** Names such as `used_up` are one word. */
const tokenize = (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
/** A plural finds its singular and the other way round. */
const stem = (word: string): string => word.replace(/(?<=..)(?:ies|es|s)$/, '')
const toTerm = (word: string): string | null => (common.has(word.toLowerCase()) ? null : stem(word.toLowerCase()))
const withSynonyms = (term: string): string[] => [term, ...(synonyms[term] ?? []).map(stem)]

const index = new MiniSearch<HelpSection>({fields: ['title', 'page', 'body'], tokenize, processTerm: toTerm})
index.addAll(sections)

/** A section that knows at most half of what the question is about is about something else. */
const leastCoverage = 0.5

export type HelpAnswer = {best: HelpSection; others: readonly HelpSection[]}

/** The section that is most about the question (BM25 over the bundled pages), and up to three more. */
export function searchHelp(question: string): HelpAnswer | undefined {
  const terms = tokenize(question.slice(0, 1000)).flatMap((word) => toTerm(word) ?? [])
  const found = index
    .search(terms.flatMap(withSynonyms).join(' '), {
      boost: {title: 4, page: 1.5},
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: {fuzzy: 0.2, prefix: 0.5},
    })
    .filter(({queryTerms}) => {
      const known = terms.filter((term) => withSynonyms(term).some((word) => queryTerms.includes(stem(word))))
      return known.length > leastCoverage * terms.length
    })
    .flatMap(({id, score}) => {
      const section = byId.get(String(id))
      return section ? [{section, score}] : []
    })
  const [best, ...rest] = found
  if (best === undefined) return undefined
  const others = rest.filter(({score}) => score >= best.score / 3).slice(0, 3)
  return {best: best.section, others: others.map(({section}) => section)}
}

export const findHelpPage = (name: string): HelpPage | undefined => {
  const wanted = name.trim().toLowerCase()
  return helpPages.find((page) => page.name === wanted || page.title.toLowerCase() === wanted)
}
