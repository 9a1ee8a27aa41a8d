/* The prompt of midjourney's imagine: words and flags in one text (contract/media §2.1). */

export type PromptParts = {
  prompt: string
  references: readonly string[]
  elements: readonly string[]
  model: string
  version: string
  ratio: string
  quality: string
  stylize: number
  weird: number
  chaos: number
  iw: number
  style: string
  ignore: string
}

type Flag = {
  /** The written form; the others are alternatives a user may type. */
  name: string
  aliases: readonly string[]
  value: (parts: PromptParts) => string
  /** Its value goes unsent. */
  isDefault: (parts: PromptParts) => boolean
  read: (value: string) => Partial<PromptParts>
}

const numberOf = (value: string, fallback: number) => (Number.isFinite(Number(value)) ? Number(value) : fallback)

/** In the order of writing. */
const flags: readonly Flag[] = [
  {
    name: 'niji',
    aliases: [],
    value: ({model}) => model.replace(/^niji /, ''),
    isDefault: ({model}) => model === '',
    read: (value) => ({model: `niji ${value}`}),
  },
  {
    name: 'version',
    aliases: ['v'],
    value: ({version}) => version,
    isDefault: () => false,
    read: (version) => ({version}),
  },
  {
    name: 'chaos',
    aliases: ['c'],
    value: ({chaos}) => String(chaos),
    isDefault: ({chaos}) => chaos === 0,
    read: (value) => ({chaos: numberOf(value, 0)}),
  },
  {
    name: 'quality',
    aliases: ['q'],
    value: ({quality}) => quality,
    isDefault: ({quality}) => quality === '1',
    read: (quality) => ({quality}),
  },
  {
    name: 'aspect',
    aliases: ['ar'],
    value: ({ratio}) => ratio,
    isDefault: ({ratio}) => ratio === '1:1',
    read: (ratio) => ({ratio}),
  },
  {
    name: 'stylize',
    aliases: ['s'],
    value: ({stylize}) => String(stylize),
    isDefault: ({stylize}) => stylize === 100,
    read: (value) => ({stylize: numberOf(value, 100)}),
  },
  {
    name: 'weird',
    aliases: ['w'],
    value: ({weird}) => String(weird),
    isDefault: ({weird}) => weird === 0,
    read: (value) => ({weird: numberOf(value, 0)}),
  },
  {
    name: 'no',
    aliases: [],
    value: ({ignore}) => ignore.trim(),
    isDefault: ({ignore}) => ignore.trim() === '',
    read: (ignore) => ({ignore}),
  },
  {
    name: 'iw',
    aliases: [],
    value: ({iw}) => String(iw),
    isDefault: ({iw}) => iw === 1,
    read: (value) => ({iw: numberOf(value, 1)}),
  },
  {
    name: 'style',
    aliases: [],
    value: ({style}) => style,
    isDefault: ({style}) => style === '',
    read: (style) => ({style}),
  },
]

const escaped = (name: string) => name.replace(/[^a-z]/g, '\\$&')
const pattern = ({name, aliases}: Flag) => new RegExp(`(^|\\s)--(${[name, ...aliases].map(escaped).join('|')})(\\s|$)`)

/**
 * Composes reference addresses, words, style words and flags. A flag is written unless it has its default or was typed
 * already; whole names are compared, so that `--style` is written beside `--stylize`. Empty without a word or a
 * reference.
 */
export function composePrompt(parts: PromptParts): string {
  const {prompt, references, elements} = parts
  if (prompt.trim() === '' && references.length === 0) return ''
  const words = [prompt, ...elements].filter((word) => word !== '').join(',')
  const flagText = flags
    .filter((flag) => !flag.isDefault(parts) && !pattern(flag).test(prompt))
    .map((flag) => ` --${flag.name} ${flag.value(parts)}`)
  const text = [...references.map((url) => `${url} `), words, ...flagText].join('')
  // the mode has its own field
  return text.replace(/--(fast|relax|turbo) /g, '')
}

const leadingReferences = /^(?:https?:\/\/\S+\s+)*/

/**
 * Splits a composed prompt. Style words stay among the words (`withElements`). Unknown flags stay in the text, and so
 * do flags with a value that is not offered (`isOffered`), such as a typed aspect.
 */
export function partsOfPrompt(
  text: string,
  isOffered: (part: Partial<PromptParts>) => boolean = () => true,
): Partial<PromptParts> {
  const references = leadingReferences.exec(text)?.[0].trim().split(/\s+/).filter(Boolean) ?? []
  let prompt = withoutReferences(text)
  const parts: Partial<PromptParts> = {}
  for (const flag of flags) {
    const names = [flag.name, ...flag.aliases].map(escaped).join('|')
    // a flag's value ends at the next flag
    const match = new RegExp(`(?:^|\\s)--(?:${names})\\s+(.*?)(?=\\s--[a-z]|$)`).exec(prompt)
    if (match?.[1] === undefined) continue
    const part = flag.read(match[1].trim())
    if (!isOffered(part)) continue
    Object.assign(parts, part)
    prompt = prompt.replace(match[0], '')
  }
  return {...parts, references, prompt: prompt.trim()}
}

/**
 * Words too long to be typed were composed: the text after their first bare comma becomes style words again. Words of
 * `most` characters or fewer stay one text, since a picked word cannot be told from a typed one.
 */
export function withElements(parts: Partial<PromptParts>, most: number): Partial<PromptParts> {
  const {prompt = ''} = parts
  if (prompt.length <= most) return parts
  const [words = '', ...elements] = prompt.split(/,(?=\S)/)
  return {...parts, prompt: words, elements}
}

/** Value of a typed or composed flag. */
export const flagOf = (text: string, ...names: readonly string[]): string | undefined =>
  new RegExp(`(?:^|\\s)--(?:${names.map(escaped).join('|')})\\s+(\\S+)`).exec(text)?.[1]

/** The addresses at the start of a prompt. */
export const referencesOf = (text: string): string[] => partsOfPrompt(text).references?.slice() ?? []

/** A prompt without its reference addresses: words and flags. */
export const withoutReferences = (text: string): string => text.replace(leadingReferences, '')

/** Flags without a value; any other flag has one. */
const switches = ['tile', 'fast', 'relax', 'turbo', 'raw', 'draft', 'hd', 'loop', 'video', 'test', 'testp']

/** The prompt for tools without flags: the user's own words; words of `--no` become a sentence. */
export function wordsOf(text: string): string {
  const exclusions: string[] = []
  const words = withoutReferences(text)
    .replace(/(?:^|\s)--no\s+(?!\s)(.*?)(?=\s--[a-z]|$)/gs, (_flag, things: string) => {
      exclusions.push(things.trim())
      return ''
    })
    .replace(new RegExp(`(?:^|\\s)--(?:${switches.join('|')})(?=[\\s,]|$)`, 'g'), '')
    .replace(/(?:^|\s)--[a-z]+(?:\s+(?!--)[^\s,]+)?/g, '')
    .replace(/^[\s,]+/, '')
    .trim()
  return [words, ...(words === '' ? [] : exclusions.map((things) => `without ${things}`))].join(', ')
}
