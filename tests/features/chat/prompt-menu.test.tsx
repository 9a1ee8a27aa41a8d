import {act, fireEvent, screen} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {Composer} from '#features/chat/composer.tsx'
import {savedPromptsMachine, type SavedPromptsRecord} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {renderView} from '#tests/ui/render.tsx'
import '../shell/patience.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createChat, createChatActors, InChat} from './chat-fixture.tsx'
import {eventually} from '../../eventually.ts'

const kept: SavedPromptsRecord = {prompts: [{id: 'one', name: 'Foo', text: 'foo it'}], instructions: ''}

/** The message field. `load`: reads the saved prompts; `none`: the server keeps none. */
function showComposer(load: (() => Promise<SavedPromptsRecord>) | 'none' = async () => kept) {
  const prompts =
    load === 'none'
      ? undefined
      : createActor(
          savedPromptsMachine.provide({actors: {loadKept: fromPromise<SavedPromptsRecord, undefined>(load)}}),
        ).start()
  if (prompts !== undefined) stopAfterTest(prompts)
  const {actors, environment} = createChatActors()
  const {chat} = createChat(actors)
  const onStop = vi.fn()
  const openSettings = vi.fn()
  const onSend = vi.fn(() => true)
  renderView(
    <InChat chat={{...chat, startPrompts: async () => prompts, openSettings}}>
      <Composer
        busy
        canStop
        canSend
        isFirst={false}
        model={undefined}
        models={[]}
        draft={undefined}
        draftKey="new/chatgpt"
        files={chat.files}
        onDraft={vi.fn()}
        onSend={onSend}
        onStop={onStop}
        onEditLast={vi.fn()}
        onChooseModel={vi.fn()}
      />
    </InChat>,
  )
  return {environment, onStop, onSend, openSettings, field: screen.getByRole('textbox', {name: 'Message'})}
}

test('Escape closes the list of prompts and not the answer; a changed name opens it again', async () => {
  const {onStop, field} = showComposer()
  fireEvent.change(field, {target: {value: '/f'}})
  await screen.findByRole('option', {name: /Foo/})
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id)
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id)
  fireEvent.keyDown(field, {key: 'Escape'})
  expect(onStop).not.toHaveBeenCalled()
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(['aria-controls', 'aria-activedescendant'].map((name) => field.getAttribute(name))).toEqual([null, null])
  fireEvent.change(field, {target: {value: '/fo'}})
  expect(screen.getByRole('option', {name: /Foo/})).toBeVisible()
  fireEvent.keyDown(field, {key: 'Escape'})
  // the list is closed: the key is the field's again
  fireEvent.keyDown(field, {key: 'Escape'})
  expect(onStop).toHaveBeenCalledTimes(1)
})

test('Enter waits for the prompts, and then inserts the first of that name', async () => {
  let answer = (_: SavedPromptsRecord) => {}
  const server = new Promise<SavedPromptsRecord>((resolve) => (answer = resolve))
  const {onSend, field} = showComposer(() => server)
  fireEvent.change(field, {target: {value: '/f'}})
  fireEvent.keyDown(field, {key: 'Enter'})
  await screen.findByText('Loading')
  for (const key of ['Enter', 'Tab']) expect(fireEvent.keyDown(field, {key})).toBe(false)
  expect(onSend).not.toHaveBeenCalled()
  fireEvent.keyDown(field, {key: 'Enter'})
  await act(async () => answer(kept))
  expect(field).toHaveProperty('value', 'foo it')
  expect(onSend).not.toHaveBeenCalled()
})

test('Enter that waited for the prompts sends what names none of them, once', async () => {
  let answer = (_: SavedPromptsRecord) => {}
  const server = new Promise<SavedPromptsRecord>((resolve) => (answer = resolve))
  const {onSend, field} = showComposer(() => server)
  fireEvent.change(field, {target: {value: '/usr'}})
  fireEvent.keyDown(field, {key: 'Enter'})
  await screen.findByText('Loading')
  await act(async () => answer(kept))
  await eventually(() => expect(onSend.mock.calls).toEqual([[{question: '/usr', references: []}]]))
})

test.each([
  ['another text', (field: HTMLElement) => fireEvent.change(field, {target: {value: '/us'}})],
  ['Escape', (field: HTMLElement) => fireEvent.keyDown(field, {key: 'Escape'})],
  ['a field that is left', (field: HTMLElement) => fireEvent.blur(field)],
])('%s takes back the Enter that waits for the prompts', async (_, takeBack) => {
  let answer = (_: SavedPromptsRecord) => {}
  const server = new Promise<SavedPromptsRecord>((resolve) => (answer = resolve))
  const {onSend, field} = showComposer(() => server)
  fireEvent.change(field, {target: {value: '/usr'}})
  await screen.findByText('Loading')
  fireEvent.keyDown(field, {key: 'Enter'})
  takeBack(field)
  await act(async () => answer(kept))
  expect(onSend).not.toHaveBeenCalled()
})

test('Enter sends at once where the server turns out to keep no prompts', async () => {
  const {onSend, field} = showComposer('none')
  fireEvent.change(field, {target: {value: '/foo'}})
  fireEvent.keyDown(field, {key: 'Enter'})
  await eventually(() => expect(onSend.mock.calls).toEqual([[{question: '/foo', references: []}]]))
})

test('Enter sends what names no prompt', async () => {
  const {onSend, field} = showComposer()
  fireEvent.change(field, {target: {value: '/usr'}})
  await screen.findByText('No prompt has this name.')
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend).toHaveBeenCalledWith({question: '/usr', references: []})
})

test('Enter sends any text where the server keeps no prompts', async () => {
  const {onSend, field} = showComposer('none')
  fireEvent.change(field, {target: {value: '/foo'}})
  await eventually(() => {
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(onSend).toHaveBeenCalledWith({question: '/foo', references: []})
  })
})

const withFields: SavedPromptsRecord = {prompts: [{id: 'one', name: 'Foo', text: 'foo {{bar}}'}], instructions: ''}

async function openFields(text = 'foo {{bar}}') {
  const {field, onSend, onStop} = showComposer(async () => ({...withFields, prompts: [{id: 'one', name: 'Foo', text}]}))
  fireEvent.change(field, {target: {value: '/f'}})
  fireEvent.click(await screen.findByRole('option', {name: /Foo/}))
  const bar = await screen.findByRole('textbox', {name: 'bar'})
  fireEvent.change(bar, {target: {value: 'baz'}})
  return {field, bar, onSend, onStop}
}

test('Escape closes the fields of a prompt, and neither the list nor the answer', async () => {
  const {bar, onStop} = await openFields()
  fireEvent.keyDown(bar, {key: 'Escape'})
  await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('option', {name: /Foo/})).toBeVisible()
  expect(onStop).not.toHaveBeenCalled()
})

test('the key that sends inserts the filled prompt, and sends nothing', async () => {
  const {bar, field, onSend} = await openFields()
  fireEvent.keyDown(bar, {key: 'Enter', shiftKey: true})
  expect(field).toHaveProperty('value', '/f')
  fireEvent.keyDown(bar, {key: 'Enter', ctrlKey: true})
  expect(field).toHaveProperty('value', 'foo baz')
  expect(onSend).not.toHaveBeenCalled()
})

test('Enter goes to the next empty field of a prompt, and inserts from the last one', async () => {
  const {bar, field} = await openFields('foo {{bar}} {{baz}}')
  fireEvent.keyDown(bar, {key: 'Enter'})
  const baz = screen.getByRole('textbox', {name: 'baz'})
  expect(document.activeElement).toBe(baz)
  expect(field).toHaveProperty('value', '/f')
  fireEvent.change(baz, {target: {value: 'qux'}})
  fireEvent.keyDown(baz, {key: 'Enter'})
  expect(field).toHaveProperty('value', 'foo baz qux')
})

test('a name with a space is typed to its end, and Enter inserts its prompt', async () => {
  const {onSend, field} = showComposer(async () => ({
    prompts: [
      {id: 'one', name: 'Code review', text: 'review it'},
      {id: 'two', name: 'Code', text: 'write it'},
    ],
    instructions: '',
  }))
  for (const value of ['/code', '/code ', '/code rev']) {
    fireEvent.change(field, {target: {value}})
    await screen.findByRole('option', {name: /Code review/})
  }
  expect(screen.getAllByRole('option')).toHaveLength(1)
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(field).toHaveProperty('value', 'review it')
  // words that stand in no name so, though all their letters do
  fireEvent.change(field, {target: {value: '/cod view'}})
  await eventually(() => expect(screen.queryByRole('listbox')).toBeNull())
  expect(field.getAttribute('aria-controls')).toBeNull()
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend).toHaveBeenCalledExactlyOnceWith({question: '/cod view', references: []})
})

test('a name with a space is not sent while the prompts load, and is once they cannot be loaded', async () => {
  let refuse = (_: Error) => {}
  const {onSend, field} = showComposer(() => new Promise<SavedPromptsRecord>((_, reject) => (refuse = reject)))
  fireEvent.change(field, {target: {value: '/code review'}})
  await screen.findByText('Loading')
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend).not.toHaveBeenCalled()
  await act(async () => refuse(new Error('foo')))
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend).toHaveBeenCalledExactlyOnceWith({question: '/code review', references: []})
})

test('Enter that waited sends a sentence once the prompts cannot be loaded: nothing tells of another Enter', async () => {
  let refuse = (_: Error) => {}
  const {onSend, field} = showComposer(() => new Promise<SavedPromptsRecord>((_, reject) => (refuse = reject)))
  fireEvent.change(field, {target: {value: '/code review'}})
  await screen.findByText('Loading')
  fireEvent.keyDown(field, {key: 'Enter'})
  await act(async () => refuse(new Error('foo')))
  await eventually(() => expect(onSend.mock.calls).toEqual([[{question: '/code review', references: []}]]))
})

test('without a network Enter waits for no prompts', async () => {
  const {onSend, field, environment} = showComposer(() => new Promise<SavedPromptsRecord>(() => undefined))
  fireEvent.change(field, {target: {value: '/code'}})
  await screen.findByText('Loading')
  act(() => environment.send({type: 'connection.lost'}))
  expect(screen.queryByText('Loading')).toBeNull()
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend.mock.calls).toEqual([[{question: '/code', references: []}]])
})

test('a path or a sentence that begins with a slash opens no list, and Enter sends it', async () => {
  const {onSend, field} = showComposer()
  for (const value of ['/f', '/fo oo', '/f/o', '/f']) {
    fireEvent.change(field, {target: {value}})
    if (value === '/f') await screen.findByRole('option', {name: /Foo/})
    else expect(screen.queryByRole('listbox')).toBeNull()
  }
  fireEvent.change(field, {target: {value: '/etc/hosts has a wrong line, why?'}})
  fireEvent.keyDown(field, {key: 'Enter'})
  expect(onSend).toHaveBeenCalledWith({question: '/etc/hosts has a wrong line, why?', references: []})
})

test('a user without prompts is led to where they are made', async () => {
  const {openSettings, field} = showComposer(async () => ({prompts: [], instructions: ''}))
  fireEvent.change(field, {target: {value: '/'}})
  fireEvent.click(await screen.findByRole('button', {name: 'No saved prompts yet. Add them in the settings.'}))
  expect(openSettings).toHaveBeenCalledTimes(1)
})
