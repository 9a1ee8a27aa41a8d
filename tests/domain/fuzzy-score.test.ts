import {describe, expect, test} from 'vitest'
import {foldText} from '#domain/fold-text.ts'
import {fuzzyScore} from '#domain/fuzzy-score.ts'

const best = (query: string, texts: string[]) =>
  texts
    .flatMap((text) => {
      const score = fuzzyScore(foldText(query), foldText(text))
      return score === undefined ? [] : [{text, score}]
    })
    .sort((one, other) => other.score - one.score)
    .map(({text}) => text)

describe('what a query means', () => {
  test.each([
    ['nch', ['New chat', 'Notifications', 'Console'], ['New chat']],
    ['hrbr', ['The harbour', 'Hundred bars'], ['The harbour']],
    ['chat new', ['New chat', 'Chat'], ['New chat']],
    [
      'co',
      ['Copy the last answer', 'Console', 'Icons of tools'],
      ['Console', 'Copy the last answer', 'Icons of tools'],
    ],
    ['uber', ['Über das Wetter'], ['Über das Wetter']],
    ['настр', ['Настройки', 'Чаты'], ['Настройки']],
    ['設定', ['設定', '会話'], ['設定']],
    ['xyz', ['New chat'], []],
    ['ncha', ['New archive chats'], ['New archive chats']],
    ['such', ['Sprache: Language Simplified Chinese'], []],
    ['cost', ['Copy the last answer'], []],
    ['', ['New chat'], ['New chat']],
  ])('%s', (query, texts, found) => expect(best(query, texts)).toEqual(found))
  test('letters that lie scattered are no match', () =>
    expect(best('nhs', ['Number of the small heights'])).toEqual([]))
})
