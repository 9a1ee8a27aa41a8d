import {TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser/no-parser.js'
import type {CompiledMessages} from '#ui/message-format.ts'

type Elements = readonly MessageFormatElement[]
/** The option of each plural and select of a message, by the name of its value. */
type Choices = Readonly<Record<string, string>>
type Label = {text: string; choices: Choices}

/** In characters. A longer one is text of a user or model, such as that of a link. */
const longestLabel = 200
/** Stands for a value. */
const gap = '\u0000'

function partsOf(element: MessageFormatElement): readonly Label[] {
  if (element.type === TYPE.literal) return [{text: element.value, choices: {}}]
  if (element.type === TYPE.tag) return labelsOf(element.children)
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return [{text: gap, choices: {}}]
  return Object.entries(element.options).flatMap(([option, {value}]) =>
    labelsOf(value).map(({text, choices}) => ({text, choices: {...choices, [element.value]: option}})),
  )
}

/** Every text that a message can be, but for its values. */
const labelsOf = (elements: Elements): readonly Label[] =>
  elements
    .map(partsOf)
    .reduce<readonly Label[]>(
      (labels, parts) =>
        labels.flatMap(({text, choices}) =>
          parts.map((part) => ({text: text + part.text, choices: {...choices, ...part.choices}})),
        ),
      [{text: '', choices: {}}],
    )

/** The words of a message where its plurals and selects have these options. */
const wordsOf = (elements: Elements, choices: Choices): string =>
  elements
    .map((element): string => {
      if (element.type === TYPE.literal) return element.value
      if (element.type === TYPE.tag) return wordsOf(element.children, choices)
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return ' '
      const {options, value} = element
      return wordsOf((options[choices[value] ?? 'other'] ?? options['other'])?.value ?? [], choices)
    })
    .join('')

const asLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(gap, '.+')}$`, 'su')

/**
 * The English words of what a control says, by these messages in its language and in English. Of messages with values
 * the one counts that has most of its text in common with the label.
 */
export function createLabelWords(messages: CompiledMessages, english: CompiledMessages): (label: string) => string {
  const plain = new Map<string, Set<string>>()
  const templates: {length: number; pattern: RegExp; words: string}[] = []
  for (const [id, elements] of Object.entries(messages)) {
    const englishElements = english[id] ?? []
    for (const {text, choices} of labelsOf(elements)) {
      const label = asLine(text)
      const words = asLine(wordsOf(englishElements, choices))
      if (!label.includes(gap)) plain.set(label, (plain.get(label) ?? new Set()).add(words))
      else if (/\p{L}/u.test(label)) templates.push({length: label.length, pattern: patternOf(label), words})
    }
  }
  templates.sort((one, other) => other.length - one.length)
  const englishOf = (line: string): string => {
    const words = plain.get(line)
    if (words !== undefined) return [...words].join(' ')
    const template = line.length > longestLabel ? undefined : templates.find(({pattern}) => pattern.test(line))
    if (template !== undefined) return template.words
    // put together of several messages: an action, what it is done with, its price
    const parts = line.split(/ · |: /)
    return parts.length === 1 ? '' : parts.map(englishOf).filter(Boolean).join(' ')
  }
  return (label) => englishOf(asLine(label))
}
