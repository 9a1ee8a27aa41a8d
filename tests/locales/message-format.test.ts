import {createIntl} from '@formatjs/intl'
import {parse, TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser'
import {expect, test} from 'vitest'
import {localeNames, readLocale} from '#tools/locales.mjs'
import {createMessageFormat} from '#ui/message-format.ts'

const rethrow = (error: unknown) => {
  throw error
}

/** The names of a message's values with one of their kind each; a plural and a number get the count. */
function valuesOf(elements: readonly MessageFormatElement[], count: number): [string, unknown][] {
  return elements.flatMap((element): [string, unknown][] => {
    switch (element.type) {
      case TYPE.argument:
        return [[element.value, 'foo']]
      case TYPE.number:
        return [[element.value, count]]
      case TYPE.select: {
        const inner = Object.values(element.options).flatMap(({value}) => valuesOf(value, count))
        const names = Object.keys(element.options)
        return [...inner, [element.value, names[count % names.length]]]
      }
      case TYPE.plural:
        return [...Object.values(element.options).flatMap(({value}) => valuesOf(value, count)), [element.value, count]]
      case TYPE.tag:
        return [...valuesOf(element.children, count), [element.value, (chunks: string[]) => `(${chunks.join('')})`]]
      default:
        return []
    }
  })
}

test.each(localeNames)('the page formats each message in %s as the library of the server does', (locale) => {
  const messages = Object.fromEntries(Object.entries(readLocale(locale)).map(([id, message]) => [id, parse(message)]))
  const format = createMessageFormat({locale, messages, onError: rethrow})
  const library = createIntl({locale, messages, onError: rethrow})
  const different = Object.entries(messages).flatMap(([id, elements]) =>
    [0, 1, 2, 3, 5, 11, 21, 1234, 1_234_567].flatMap((count) => {
      const values = Object.fromEntries(valuesOf(elements, count))
      // as: a value of each kind that the message asks for
      const ours = format(id, values as Parameters<typeof format>[1])
      const theirs = library.formatMessage({id}, values as Parameters<typeof library.formatMessage>[1])
      return ours === theirs ? [] : [{id, count, ours, theirs}]
    }),
  )
  expect(different).toEqual([])
})
