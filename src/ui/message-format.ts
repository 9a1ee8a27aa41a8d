import {
  TYPE,
  type MessageFormatElement,
  type PluralElement,
  type SelectElement,
} from '@formatjs/icu-messageformat-parser/no-parser.js'
import {Children, type ReactElement, type ReactNode} from 'react'

/** Message id → ICU syntax tree, compiled ahead of time (src/tools/locales-plugin.mjs). */
export type CompiledMessages = Record<string, MessageFormatElement[]>

/** A text, a number, an element; for `<tag>…</tag>` a function of the tag's content. */
export type MessageParts = Record<string, string | number | ReactElement | ((chunks: ReactNode[]) => ReactNode)>

/**
 * Returns a sentence, or a list of its parts if a value is an element. A missing message, or one whose values do not
 * fit, is its id.
 */
export type MessageFormat = (id: string, values?: MessageParts) => ReactNode

type FormatOptions = {locale: string; messages: CompiledMessages; onError: (error: unknown) => void}

/** The values and rules that elements of one sentence share. `count`: the number of the plural around them. */
type Sentence = {
  values: MessageParts
  formatNumber: (number: number) => string
  pluralOf: (number: number) => Intl.LDMLPluralRule
  count?: number
}

function valueOf(name: string, {values}: Sentence) {
  if (!(name in values)) throw new Error(`There is no value for "${name}"`)
  return values[name]
}

function formatArgument(name: string, sentence: Sentence): ReactNode {
  const value = valueOf(name, sentence)
  if (typeof value === 'function') throw new Error(`The value of "${name}" is a function`)
  return typeof value === 'number' ? String(value) : value
}

function formatTag(name: string, children: MessageFormatElement[], sentence: Sentence): ReactNode {
  const format = valueOf(name, sentence)
  if (typeof format !== 'function') throw new Error(`The value of "${name}" is no function`)
  return format(Children.toArray(formatElements(children, sentence)))
}

function formatSelect({value: name, options}: SelectElement, sentence: Sentence): ReactNode[] {
  const choice = valueOf(name, sentence)
  const option = (typeof choice === 'string' ? options[choice] : undefined) ?? options['other']
  return formatElements(option?.value ?? [], sentence)
}

function formatPlural({value: name, options}: PluralElement, sentence: Sentence): ReactNode[] {
  const count = Number(valueOf(name, sentence))
  const option = options[`=${count}`] ?? options[sentence.pluralOf(count)] ?? options['other']
  return formatElements(option?.value ?? [], {...sentence, count})
}

function formatElements(elements: readonly MessageFormatElement[], sentence: Sentence): ReactNode[] {
  return elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
        return element.value
      case TYPE.argument:
        return formatArgument(element.value, sentence)
      case TYPE.number:
        return sentence.formatNumber(Number(valueOf(element.value, sentence)))
      case TYPE.pound:
        return sentence.count === undefined ? '#' : sentence.formatNumber(sentence.count)
      case TYPE.select:
        return formatSelect(element, sentence)
      case TYPE.plural:
        return formatPlural(element, sentence)
      case TYPE.tag:
        return formatTag(element.value, element.children, sentence)
      case TYPE.date:
      case TYPE.time:
        throw new Error('Messages have no dates: give the text of each')
    }
  })
}

/**
 * The messages of one language with their values filled in. The library's own formatter brings its parser along, which
 * the page does without (docs/decisions/0175-messages-are-formatted-without-a-parser.md).
 */
export function createMessageFormat({locale, messages, onError}: FormatOptions): MessageFormat {
  const numbers = new Intl.NumberFormat(locale)
  const plurals = new Intl.PluralRules(locale)
  const language = {
    formatNumber: (number: number) => numbers.format(number),
    pluralOf: (number: number) => plurals.select(number),
  }
  return (id, values = {}) => {
    const message = messages[id]
    if (message === undefined) {
      onError(new Error(`Missing message: "${id}" for locale "${locale}"`))
      return id
    }
    try {
      const parts = formatElements(message, {...language, values})
      return parts.every((part) => typeof part === 'string') ? parts.join('') : Children.toArray(parts)
    } catch (error) {
      onError(new Error(`The message "${id}" for locale "${locale}" cannot be formatted`, {cause: error}))
      return id
    }
  }
}
