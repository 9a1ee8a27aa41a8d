import {fireEvent, screen} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {Composer} from '#features/chat/composer.tsx'
import {savedPromptsMachine, type Kept} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {renderView} from '#tests/ui/render.tsx'
import {stopAfterTest} from '../stop-after-test.ts'
import {createChat, InChat} from './chat-fixture.tsx'

const kept: Kept = {prompts: [{id: 'one', name: 'Foo', text: 'foo it'}], instructions: ''}

function showComposer() {
  const prompts = createActor(
    savedPromptsMachine.provide({actors: {loadKept: fromPromise<Kept, undefined>(async () => kept)}}),
  ).start()
  stopAfterTest(prompts)
  const {chat} = createChat(undefined)
  const onStop = vi.fn()
  renderView(
    <InChat chat={{...chat, startPrompts: async () => prompts}}>
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
        onSend={() => true}
        onStop={onStop}
        onEditLast={vi.fn()}
        onChooseModel={vi.fn()}
      />
    </InChat>,
  )
  return {onStop, field: screen.getByRole('textbox', {name: 'Message'})}
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
  expect(screen.getByRole('option', {name: /Foo/})).toBeDefined()
  fireEvent.keyDown(field, {key: 'Escape'})
  // the list is closed: the key is the field's again
  fireEvent.keyDown(field, {key: 'Escape'})
  expect(onStop).toHaveBeenCalledTimes(1)
})
