import {act, fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {readPromptDraft, writePromptDraft} from '#features/chat/prompt-draft.ts'
import {PromptSettings} from '#features/chat/prompt-settings.tsx'
import {
  savedPromptsMachine,
  type SavedPromptsRecord,
  type PromptChange,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {coarsePointer} from '#ui/use-media-query.ts'
import {eventually} from '#tests/eventually.ts'
import {renderView} from '#tests/ui/render.tsx'
import '../shell/patience.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createChat, createChatActors, InChat} from './chat-fixture.tsx'

const foo = {id: 'one', name: 'Foo', text: 'foo it'}
const bar = {id: 'two', name: 'Bar', text: 'bar it'}

/** The settings of a user whose server has these prompts. `open` shows them, `leave` takes them away. */
function createSettings() {
  const kept: SavedPromptsRecord = {prompts: [foo, bar], instructions: 'Be brief.'}
  const writes: PromptChange[] = []
  const server = {kept, writes, answer: Promise.resolve()}
  const {chat, drafts} = createChat(createChatActors().actors)
  const prompts = createActor(
    savedPromptsMachine.provide({
      actions: {keepDraft: (_, {prompt}) => writePromptDraft(chat.drafts, prompt)},
      actors: {
        loadKept: fromPromise<SavedPromptsRecord, undefined>(async () => server.kept),
        writeChange: fromPromise<void, PromptChange>(async ({input}) => {
          server.writes.push(input)
          await server.answer
        }),
      },
    }),
  ).start()
  stopAfterTest(prompts)
  const startPrompts = async () => {
    prompts.send({type: 'prompts.load', draft: readPromptDraft(chat.drafts)})
    return prompts
  }
  const open = async () => {
    // to its end: a press before the view follows the prompts would be shown by the next one
    const {unmount} = await act(async () =>
      renderView(
        <InChat chat={{...chat, startPrompts}}>
          <PromptSettings />
        </InChat>,
      ),
    )
    expect(instructions()).toBeTruthy()
    return unmount
  }
  return {server, prompts, drafts, open}
}

const instructions = () => screen.getByRole('textbox', {name: 'Instructions for the assistant'})
const button = (name: string) => screen.getAllByRole('button', {name}).at(-1) as HTMLElement // as: getAll throws on none
const type = (field: HTMLElement, value: string) => fireEvent.change(field, {target: {value}})

test('typed instructions stay until they are saved', async () => {
  const {server, drafts, open} = createSettings()
  const leave = await open()
  type(instructions(), 'Be kind.')
  leave()
  await open()
  expect(instructions()).toHaveProperty('value', 'Be kind.')
  await act(async () => fireEvent.click(screen.getByRole('button', {name: 'Save'})))
  expect(server.writes).toEqual([{type: 'instructions.save', text: 'Be kind.'}])
  expect(instructions()).toHaveProperty('value', 'Be kind.')
  expect([...drafts.keys()]).toEqual([])
})

test('instructions that another page saved meanwhile are shown before they are replaced', async () => {
  const {server, open} = createSettings()
  const leave = await open()
  type(instructions(), 'Be kind.')
  leave()
  server.kept = {...server.kept, instructions: 'Be quick.'}
  await open()
  expect((await screen.findByRole('alert')).textContent).toContain('Be quick.')
  fireEvent.click(screen.getByRole('button', {name: 'Use that text'}))
  expect(instructions()).toHaveProperty('value', 'Be quick.')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a half written prompt stays until it is saved or cancelled', async () => {
  const {server, drafts, open} = createSettings()
  const leave = await open()
  fireEvent.click(screen.getByRole('button', {name: 'Add a prompt'}))
  type(screen.getByRole('textbox', {name: 'Name'}), 'Baz')
  leave()
  const leaveAgain = await open()
  expect(screen.getByRole('textbox', {name: 'Name'})).toHaveProperty('value', 'Baz')
  type(screen.getByRole('textbox', {name: 'Text'}), 'baz it')
  await act(async () => fireEvent.click(button('Save')))
  expect(server.writes).toEqual([{type: 'prompt.save', prompt: {id: 'key-1', name: 'Baz', text: 'baz it'}}])
  expect(screen.queryByRole('textbox', {name: 'Name'})).toBeNull()
  expect([...drafts.keys()]).toEqual([])
  fireEvent.click(screen.getByRole('button', {name: 'Add a prompt'}))
  type(screen.getByRole('textbox', {name: 'Name'}), 'Qux')
  fireEvent.click(button('Cancel'))
  leaveAgain()
  await open()
  expect(screen.queryByRole('textbox', {name: 'Name'})).toBeNull()
})

/** By keys. */
const press = async (name: string, at: number) => {
  act(() => screen.getAllByRole('button', {name})[at]?.focus())
  await userEvent.keyboard('{Enter}')
}

const expectFocus = (row: string | undefined, name: string) =>
  eventually(() => {
    const {activeElement} = document
    expect(activeElement?.closest('[role=group]')?.getAttribute('aria-label')).toBe(row)
    expect(activeElement?.getAttribute('aria-label') ?? activeElement?.textContent).toBe(name)
  })

test('the focus of a removed prompt does not go to one that is written, which cannot be removed', async () => {
  const {open} = createSettings()
  await open()
  await press('Edit', 1)
  await press('Remove', 0)
  await expectFocus(undefined, 'Undo')
})

test('the focus of a removed prompt goes to the next one, at last to Undo, and from there to the one that is back', async () => {
  const {open} = createSettings()
  await open()
  await press('Remove', 1)
  await expectFocus('Foo', 'Remove')
  await press('Remove', 0)
  await expectFocus(undefined, 'Undo')
  await press('Undo', 0)
  // there is another one to take back
  await expectFocus(undefined, 'Undo')
  await press('Undo', 0)
  await expectFocus('Bar', 'Remove')
})

test('saved instructions give the focus to their field, not on touch', async () => {
  const {open} = createSettings()
  await open()
  const save = async (value: string) => {
    type(instructions(), value)
    const [first] = screen.getAllByRole('button', {name: 'Save'})
    act(() => first?.focus())
    await act(async () => first?.click())
    await act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())))
  }
  await save('Be kind.')
  expect(document.activeElement).toBe(instructions())
  vi.stubGlobal('matchMedia', (media: string) => ({matches: media === coarsePointer}))
  await save('Be quick.')
  expect(document.activeElement).not.toBe(instructions())
})

test.each(['Save', 'Cancel'])('the focus of %s goes on to the button that adds a prompt', async (name) => {
  const {open} = createSettings()
  await open()
  fireEvent.click(screen.getAllByRole('button', {name: 'Edit'})[0] as HTMLElement) // as: there are two prompts
  act(() => button(name).focus())
  await act(async () => fireEvent.click(button(name)))
  expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Add a prompt'}))
})

test('a prompt that the server takes while the settings are closed and opened again is not written any more', async () => {
  const {server, drafts, open} = createSettings()
  let resolve = () => {}
  server.answer = new Promise((answer) => {
    resolve = answer
  })
  const leave = await open()
  fireEvent.click(screen.getByRole('button', {name: 'Add a prompt'}))
  type(screen.getByRole('textbox', {name: 'Name'}), 'Baz')
  type(screen.getByRole('textbox', {name: 'Text'}), 'baz it')
  await act(async () => fireEvent.click(button('Save')))
  leave()
  await open()
  expect(screen.getByRole('textbox', {name: 'Name'})).toHaveProperty('value', 'Baz')
  await act(async () => resolve())
  expect(screen.queryByRole('textbox', {name: 'Name'})).toBeNull()
  expect(screen.getByRole('group', {name: 'Baz'})).toBeTruthy()
  expect([...drafts.keys()]).toEqual([])
})

test('while one prompt is edited no other can be', async () => {
  const {open} = createSettings()
  await open()
  const [edit, other] = screen.getAllByRole('button', {name: 'Edit'})
  fireEvent.click(edit as HTMLElement) // as: there are two prompts
  expect(other).toHaveProperty('disabled', true)
  fireEvent.click(button('Cancel'))
  expect(other).toHaveProperty('disabled', false)
})

test.each([
  ['no server answered', new TypeError('Failed to fetch'), 'The server did not answer. Check your connection.'],
  [
    'the server refused',
    Object.assign(new Error('foo'), {code: 'busy', detail: 'Try later.', status: 500}),
    'busy - Try later.',
  ],
])('a change that was not stored says why: %s', async (_, reason, words) => {
  const {server, open} = createSettings()
  await open()
  server.answer = Promise.reject(reason)
  type(instructions(), 'Be kind.')
  await act(async () => fireEvent.click(screen.getByRole('button', {name: 'Save'})))
  expect((await screen.findByRole('alert')).textContent).toBe(`That didn't work. Nothing was changed. ${words}`)
})

test('a text that is too long stays whole, says by how much, and is saved once it fits', async () => {
  const {server, open} = createSettings()
  await open()
  type(instructions(), ` ${'a'.repeat(8_012)} `)
  expect(instructions()).not.toHaveProperty('maxLength', 8_000)
  expect(instructions()).toHaveProperty('value.length', 8_014)
  expect(screen.getByRole('alert').textContent).toBe('Too long by 12 characters. At most 8,000 can be saved.')
  expect(instructions().getAttribute('aria-describedby')).toContain(screen.getByRole('alert').id)
  fireEvent.submit(instructions())
  expect(server.writes).toEqual([])
  type(instructions(), 'a'.repeat(8_000))
  expect(screen.queryByRole('alert')).toBe(null)
  await act(async () => fireEvent.submit(instructions()))
  expect(server.writes).toEqual([{type: 'instructions.save', text: 'a'.repeat(8_000)}])

  fireEvent.click(button('Add a prompt'))
  type(screen.getByRole('textbox', {name: 'Name'}), 'long')
  const field = screen.getByRole('textbox', {name: 'Text'})
  type(field, 'a'.repeat(20_001))
  expect(field).not.toHaveProperty('maxLength', 20_000)
  expect(screen.getByRole('alert').textContent).toBe('Too long by 1 character. At most 20,000 can be saved.')
  fireEvent.submit(field)
  expect(server.writes).toHaveLength(1)
  type(field, 'a'.repeat(20_000))
  await act(async () => fireEvent.submit(field))
  expect(server.writes).toHaveLength(2)
})
