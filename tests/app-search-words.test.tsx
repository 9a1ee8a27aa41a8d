import {act, renderHook, waitFor} from '@testing-library/react'
import type {ReactNode} from 'react'
import {expect, test} from 'vitest'
import {useSearchWords} from '#app/chat/use-search-words.ts'
import type {SearchWords} from '#features/chat/matching-models.ts'
import {LanguageProvider} from '#ui/language.tsx'

const onError = () => undefined
const messages = {}

test('the words are those of the language now: none of another while they load, nor of a slower load before', async () => {
  let locale = 'ru'
  const loads = new Map<string, (words: SearchWords) => void>()
  const read = (each: string) => new Promise<SearchWords>((resolve) => loads.set(each, resolve))
  const {result, rerender} = renderHook(() => useSearchWords(read)('words.grok'), {
    wrapper: ({children}: {children: ReactNode}) => (
      <LanguageProvider {...{locale, messages, onError}}>{children}</LanguageProvider>
    ),
  })
  const changeTo = (next: string) => {
    locale = next
    rerender()
  }
  const finish = (each: string) => act(async () => loads.get(each)?.(() => `words in ${each}`))
  expect(result.current).toBeUndefined()
  await finish('ru')
  await waitFor(() => expect(result.current).toBe('words in ru'))
  changeTo('ar')
  expect(result.current).toBeUndefined()
  changeTo('ko')
  await finish('ko')
  await waitFor(() => expect(result.current).toBe('words in ko'))
  await finish('ar')
  expect(result.current).toBe('words in ko')
})
