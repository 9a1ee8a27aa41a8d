import {fireEvent, screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {now, record} from './chat-fixture.tsx'
import {answered, showComparison} from './compare-fixture.tsx'

const uploadedFile = (name: string, size: number) => ({url: `https://hub.example/files/${name}`, name, size})
const limited = {
  ...{name: 'gpt-5-all', group: 'chatgpt' as const, provider: 'p', isFileSupported: true, isImageSupported: true},
  ...{longestText: 1_000, mostFileBytes: 3_000},
}
const unlimited = {
  name: 'sandbox',
  label: 'Sandbox',
  group: 'chatgpt' as const,
  provider: 'sandbox',
  isFileSupported: true,
}
const canSend = () => !screen.getByRole<HTMLButtonElement>('button', {name: 'Send'}).disabled

test('models that are not listed take files of any size', async () => {
  await showComparison(
    ['first/gone', 'second/gone'].map((model) => record(model, {model, messages: answered('foo?', now)})),
    {served: [limited]},
    undefined,
    undefined,
    [uploadedFile('log.txt', 1_600), uploadedFile('a.pdf', 9_000)],
  )
  expect(await screen.findAllByText(/Ready/)).toHaveLength(2)
  expect(canSend()).toBe(true)
})

test.each([
  ['that is not listed', 'first/gone'],
  ['without limits', 'sandbox'],
])('beside a model %s one with limits is not asked with a file over them', async (_, model) => {
  await showComparison(
    [record('a', {messages: answered('foo?', now)}), record('b', {model, messages: answered('foo?', now)})],
    {served: [limited, unlimited]},
    undefined,
    undefined,
    [uploadedFile('log.txt', 1_600)],
  )
  expect(await screen.findByText(/Ready/)).toBeVisible()
  expect(screen.getByText('GPT-5 takes texts of at most 1 kB and is not asked.')).toBeVisible()
  expect(canSend()).toBe(true)
})

test('files that are too large together leave a model out before the first question too', async () => {
  await showComparison(
    [],
    {served: [limited, unlimited]},
    ['chatgpt'],
    ['gpt-5-all', 'sandbox'],
    ['a.pdf', 'b.pdf'].map((name) => uploadedFile(name, 2_000)),
  )
  expect(await screen.findAllByText(/Ready/)).toHaveLength(2)
  expect(screen.getByText('GPT-5 takes at most 3 kB with one question and is not asked.')).toBeVisible()
  expect(screen.getByText('2 of 4 chosen · At least two models have to be asked.')).toBeVisible()
})

test('a model that reads no files at all is left out without a limit', async () => {
  const served = [{name: 'gpt-5-all', group: 'chatgpt' as const, provider: 'p', isFileSupported: false}, unlimited]
  await showComparison([], {served}, ['chatgpt'], ['gpt-5-all', 'sandbox'], [uploadedFile('a.pdf', 2_000)])
  expect(await screen.findByText(/Ready/)).toBeVisible()
  expect(screen.getByText("GPT-5 can't read these files and is not asked.")).toBeVisible()
})

test('a file that was lost with its page holds the question, and says why', async () => {
  const field = await showComparison(
    [record('a', {messages: answered('foo?', now)}), record('b', {messages: answered('foo?', now)})],
    {served: [unlimited]},
    undefined,
    undefined,
    [{url: 'lost:5/notes.txt', name: 'notes.txt', size: 5}],
  )
  expect(await screen.findByText(/notes\.txt/)).toBeVisible()
  fireEvent.keyDown(field, {key: 'Enter'})
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing was sent: one file is missing.')
  expect(field.value).toBe('foo?')
})
