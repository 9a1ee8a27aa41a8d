import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {expect, test} from 'vitest'
import {now, record} from './chat-fixture.tsx'
import {answered, showComparison} from './compare-fixture.tsx'

test('ArrowUp in the empty field brings the last question back', async () => {
  const field = await showComparison([
    record('a', {messages: answered('to all of them', now)}),
    // the file of the second question is not for the first model
    record('b', {messages: [...answered('to all of them', now), ...answered('and this file', now + 60)]}),
  ])
  fireEvent.keyDown(field, {key: 'ArrowUp'})
  expect(field.value).toBe('and this file')
  expect(document.activeElement).toBe(field)
  // in a text it moves the caret
  expect(fireEvent.keyDown(field, {key: 'ArrowUp'})).toBe(true)
  expect(field.value).toBe('and this file')
})

test('ArrowUp before the first question leaves the field empty', async () => {
  const field = await showComparison([])
  fireEvent.keyDown(field, {key: 'ArrowUp'})
  expect(field.value).toBe('')
})

test('words are found in all columns, turn by turn, and the field goes with its comparison', async () => {
  await showComparison([
    record('a', {messages: answered('to all of them', now)}),
    record('b', {messages: [...answered('to all of them', now), ...answered('and of this file', now + 60)]}),
  ])
  const opener = screen.getByRole('button', {name: 'Find in conversation'})
  opener.focus()
  await act(async () => void fireEvent.click(opener))
  const findField = () => screen.queryByRole<HTMLInputElement>('textbox', {name: 'Find in conversation'})
  const field = findField()
  const form = field?.closest('search')
  if (field === null || !(form instanceof HTMLElement)) throw new Error('no field that finds words')
  const bar = within(form)
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, {target: {value: 'of'}})
  expect(bar.getByRole('status').textContent).toBe('1 of 3')
  fireEvent.keyDown(field, {key: 'Enter', shiftKey: true})
  expect(bar.getByRole('status').textContent).toBe('3 of 3')
  fireEvent.change(field, {target: {value: 'bar'}})
  expect(bar.getByRole('status').textContent).toBe('1 of 3')
  // asked for again, the open field has the focus, as by the keys
  opener.focus()
  fireEvent.click(opener)
  expect([document.activeElement, field.selectionEnd]).toEqual([field, 3])
  fireEvent.keyDown(field, {key: 'Escape'})
  await waitFor(() => expect(findField()).toBeNull())
  expect(document.activeElement).toBe(opener)

  fireEvent.click(opener)
  await waitFor(() => expect(findField()).toBeVisible())
  fireEvent.click(screen.getByRole('button', {name: 'New comparison'}))
  await waitFor(() => expect(findField()).toBeNull())
})

test('an edit that is refused is in the editor of its column again, with its files and the reason', async () => {
  const file = {type: 'file_url' as const, file_url: {url: 'https://hub.example/files/map.png'}}
  const content = [{type: 'text' as const, text: 'foo?'}, file]
  const field = await showComparison(
    [
      record('a', {
        messages: [
          {id: 'q', role: 'user', content},
          {id: 'r', role: 'assistant', content: 'bar', state: 'finished', model: 'gpt-5-all'},
        ],
      }),
      record('b', {messages: answered('foo?', now)}),
    ],
    {
      truncate: () =>
        Promise.reject(Object.assign(new Error('foo'), {code: 'forbidden', detail: 'Not now', status: 403})),
    },
  )
  const editor = () => screen.findByRole<HTMLTextAreaElement>('textbox', {name: 'Edit message'})
  fireEvent.click(screen.getAllByRole('button', {name: 'Edit'})[0] ?? field)
  fireEvent.change(await editor(), {target: {value: 'what else?'}})
  await act(async () => void fireEvent.click(screen.getAllByRole('button', {name: 'Send'})[0] ?? field))
  expect((await screen.findByRole('alert')).textContent).toBe(
    "That couldn't be done. Nothing was changed. forbidden - Not now",
  )
  const again = await editor()
  expect(again.value).toBe('what else?')
  expect(await within(again.form ?? document.body).findByText('map.png')).toBeVisible()
  expect(field.value).toBe('')
})

test('models of one name are told apart by their groups, and by their own names within a group', async () => {
  const models = ['sandbox-chatgpt', 'sandbox-grok', 'gpt-5-all', 'first/llama', 'second/llama']
  const served = models.map((name) => ({
    name,
    group: name === 'sandbox-grok' ? ('grok' as const) : ('chatgpt' as const),
    label: name.includes('llama') ? 'Llama' : undefined,
    provider: name.startsWith('sandbox') ? 'sandbox' : 'foo',
  }))
  await showComparison(
    models.map((model) => record(model, {model})),
    {served},
    ['chatgpt', 'grok'],
  )
  const names = [
    'ChatGPT · Sandbox (no model)',
    'Grok · Sandbox (no model)',
    'GPT-5',
    'first/llama · Llama',
    'second/llama · Llama',
  ]
  for (const name of names) expect(await screen.findByRole('heading', {level: 2, name})).toBeVisible()
  for (const name of names) expect(screen.getByRole('link', {name: `${name}: Continue here`})).toBeVisible()
})

test('an answer is copied once it has ended, what happens to it is told before too', async () => {
  const field = await showComparison([
    record('a', {messages: answered('foo?', now)}),
    record('b', {messages: answered('foo?', now)}),
  ])
  const copies = () => screen.queryAllByRole('button', {name: 'GPT-5: Copy'})
  const histories = () => screen.queryAllByRole('button', {name: 'GPT-5: What happened'})
  expect(copies()).toHaveLength(2)
  expect(histories()).toHaveLength(2)
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  expect(await screen.findAllByRole('button', {name: 'GPT-5: Stop'})).toHaveLength(2)
  // the last answer is that of the question before
  expect(copies()).toHaveLength(0)
  expect(histories()).toHaveLength(2)
})

test('before it is asked: what a question costs with all of them, and that it needs two models', async () => {
  const price = {prompt: '0.01', completion: '0.03', most_tokens: 1000}
  const served = ['gpt-5-all', 'gpt-4o-all'].map((name) => ({name, group: 'chatgpt' as const, provider: 'foo', price}))
  const field = await showComparison([], {served}, ['chatgpt'], ['gpt-5-all', 'gpt-4o-all'])
  fireEvent.change(field, {target: {value: 'foo'}})
  // of each 1,000 tokens of the answer, and the few of the question
  expect(screen.getByText(/^Together about 0\.06\d\d? credits\.$/)).toBeVisible()
  fireEvent.click(screen.getByRole('button', {name: 'Take out GPT-4o'}))
  expect(screen.getByText(/^Together about 0\.03\d\d? credits\.$/)).toBeVisible()
  expect(screen.getByText('1 of 4 chosen · At least two models have to be asked.')).toBeVisible()
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Send'}).disabled).toBe(true)
})

test('any column goes on in its own conversation, and each says how its answer ends', async () => {
  const field = await showComparison([
    record('a', {messages: answered('foo?', now)}),
    record('b', {messages: answered('foo?', now), model: 'gpt-4o-all'}),
  ])
  const links = ['GPT-5', 'GPT-4o'].map((name) =>
    screen.getByRole('link', {name: `${name}: Continue here`}).getAttribute('href'),
  )
  expect(links.map((href) => href?.split('/').at(-1))).toEqual(['a', 'b'])
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  fireEvent.click(await screen.findByRole('button', {name: 'GPT-5: Stop'}))
  await waitFor(() => expect(screen.getByText('GPT-5: Stopped').role).toBe('status'))
  expect(screen.queryByText('GPT-4o: Stopped')).toBeNull()
})

test('a stop that the server did not confirm is said as in a chat: at its column in short, to a listener at length', async () => {
  const field = await showComparison(
    [
      record('a', {messages: answered('foo?', now)}),
      record('b', {messages: answered('foo?', now), model: 'gpt-4o-all'}),
    ],
    {
      capabilities: ['stop'],
      stopAnswer: () =>
        Promise.reject(Object.assign(new Error('foo'), {code: 'forbidden', detail: 'Not now', status: 403})),
    },
  )
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  fireEvent.click(await screen.findByRole('button', {name: 'GPT-5: Stop'}))
  const head = within(screen.getByRole('region', {name: 'GPT-5'}))
  expect(await head.findByText('Stopped here')).toBeVisible()
  const words = "GPT-5: Stopped here. The server didn't confirm, so the answer may go on there."
  expect(screen.getByText(words).role).toBe('status')
  expect(screen.getByRole('button', {name: 'GPT-5: Retry'})).toBeVisible()
})

test.each(['GPT-5: Stop', 'Stop all'])('%s by a key gives the focus to the field', async (name) => {
  const field = await showComparison([
    record('a', {messages: answered('foo?', now)}),
    record('b', {messages: answered('foo?', now), model: 'gpt-4o-all'}),
  ])
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  const stop = await screen.findByRole('button', {name})
  act(() => stop.focus())
  await act(async () => void fireEvent.click(stop, {detail: 0}))
  await waitFor(() => expect(screen.queryByRole('button', {name})).toBeNull())
  expect(document.activeElement).toBe(field)
})

test('the time of an answer begins at nothing where the clock of the device is not that of its question', async () => {
  const field = await showComparison([
    record('a', {messages: answered('foo?', now)}),
    record('b', {messages: answered('foo?', now), model: 'gpt-4o-all'}),
  ])
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  expect((await screen.findAllByText('0 sec')).length).toBeGreaterThan(1)
})

test('the Stop of a column hands its focus to the field as its answer ends', async () => {
  const field = await showComparison([
    record('a', {messages: answered('foo?', now)}),
    record('b', {messages: answered('foo?', now), model: 'gpt-4o-all'}),
  ])
  fireEvent.change(field, {target: {value: 'and then?'}})
  await act(async () => void fireEvent.keyDown(field, {key: 'Enter'}))
  const stop = await screen.findByRole('button', {name: 'GPT-5: Stop'})
  act(() => stop.focus())
  // stops all, wherever the focus is
  await act(async () => void fireEvent.keyDown(field, {key: 'Escape'}))
  await waitFor(() => expect(screen.queryByRole('button', {name: 'GPT-5: Stop'})).toBeNull())
  expect(document.activeElement).toBe(field)
})

test('chosen models of one name are told apart, also where one is taken out', async () => {
  const served = ['first/llama', 'second/llama'].map((name) => ({
    name,
    group: 'chatgpt' as const,
    label: 'Llama',
    provider: 'foo',
  }))
  await showComparison([], {served}, ['chatgpt'], ['first/llama', 'second/llama'])
  for (const name of ['first/llama · Llama', 'second/llama · Llama']) expect(screen.getByText(name)).toBeVisible()
  fireEvent.click(screen.getByRole('button', {name: 'Take out second/llama · Llama'}))
  expect(screen.queryByRole('button', {name: 'Take out second/llama · Llama'})).toBeNull()
  expect(screen.getByRole('button', {name: 'Take out Llama'})).toBeVisible()
})

test('conversations that could not be loaded say so, are asked for again, and are no part of a question', async () => {
  const refusals = [{code: 'unknown', detail: 'foo', status: 500}]
  const isRefused = {now: true}
  const field = await showComparison(
    ['a', 'b'].map((key) => record(key, {messages: answered('foo?', now)})),
    {refusal: () => (isRefused.now ? refusals[0] : undefined)},
  )
  expect(await screen.findAllByText('Not loaded')).toHaveLength(2)
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load your conversations.")
  expect(screen.queryByText(/is not asked|are not asked/)).toBeNull()
  fireEvent.change(field, {target: {value: 'and then?'}})
  expect(screen.getByText('2 conversations are not loaded and are not asked.').role).toBe('status')
  isRefused.now = false
  await act(async () => void fireEvent.click(screen.getByRole('button', {name: 'Retry'})))
  await waitFor(() => expect(screen.queryByText('Not loaded')).toBeNull())
  expect(screen.queryByText(/are not asked/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})
