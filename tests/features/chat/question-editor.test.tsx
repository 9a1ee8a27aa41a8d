import {act, fireEvent, screen, waitFor as waitForView} from '@testing-library/react'
import {firstValueFrom, Subject} from 'rxjs'
import {expect, test, vi} from 'vitest'
import {waitFor} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import {QuestionEditor} from '#features/chat/question-editor.tsx'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {renderView} from '#tests/ui/render.tsx'
import {attach, file} from './attached-files.ts'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'
import {createFiles} from './chat-files-fixture.ts'

const message: RecordMessage = {
  role: 'user',
  id: 'q',
  content: [
    {type: 'text', text: 'foo'},
    {type: 'image_url', image_url: {url: 'https://hub.example/files/first.png'}},
  ],
}

/** The editor of a question with one image, on a server with these capabilities. */
async function edit(capabilities: ChatCapability[], upload: SendFile = vi.fn()) {
  const {actors} = createChatActors({records: [record('a', {messages: [message]})]})
  const {conversations} = actors
  conversations.send({type: 'service.changed', capabilities})
  conversations.send({type: 'conversation.open', key: 'a'})
  await waitFor(conversations, (snapshot) => selectConversation(snapshot, 'a') !== undefined)
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  if (actor === undefined) throw new Error('The conversation is not open')
  const onSave = vi.fn()
  const {chat} = createChat(actors)
  renderView(
    <InChat chat={{...chat, files: createFiles(upload, chat.drafts).files}}>
      <QuestionEditor
        {...{actor, onSave}}
        group="chatgpt"
        index={0}
        message={message}
        draft={{read: () => undefined, write: () => undefined, keep: () => undefined}}
        unusable={undefined}
        onCancel={() => undefined}
        onSend={() => undefined}
        isSaving={false}
      />
    </InChat>,
  )
  // the files have been opened
  await screen.findByRole('button', {name: /^Remove first/})
  return {onSave}
}

const save = () => screen.getByRole('button', {name: 'Save'})
const changeText = () => fireEvent.change(screen.getByRole('textbox'), {target: {value: 'bar'}})
const removeFile = () => act(async () => fireEvent.click(screen.getByRole('button', {name: /^Remove first/})))

test('other files are saved where the server takes them', async () => {
  const {onSave} = await edit(['versions', 'edit-files'])
  await removeFile()
  await waitForView(() => expect(save()).toHaveProperty('disabled', false))
  fireEvent.click(save())
  expect(onSave.mock.calls).toEqual([['foo', []]])
})

test('an older server saves another text, and gets other files with a new answer alone', async () => {
  const {onSave} = await edit(['versions'])
  changeText()
  fireEvent.click(save())
  expect(onSave.mock.calls).toEqual([['bar', undefined]])
  await removeFile()
  await waitForView(() => expect(save()).toHaveProperty('disabled', true))
  expect(screen.getByRole('button', {name: 'Save & ask again'})).toHaveProperty('disabled', false)
})

test('an empty text says why it can be neither saved nor asked', async () => {
  await edit(['versions', 'edit-files'])
  const field = screen.getByRole('textbox')
  const description = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  expect(description()).toBeUndefined()
  fireEvent.change(field, {target: {value: ' '}})
  expect([save(), screen.getByRole('button', {name: 'Save & ask again'})]).toEqual([
    expect.objectContaining({disabled: true}),
    expect.objectContaining({disabled: true}),
  ])
  expect(description()).toBe('Write something first: a message cannot be empty.')
  changeText()
  expect(description()).toBeUndefined()
})

test('Save is pressed before a file is uploaded: its end says that nothing was saved', async () => {
  const uploaded = new Subject<{url: string}>()
  const {onSave} = await edit(['versions', 'edit-files'], () => firstValueFrom(uploaded))
  attach(file('a.pdf', 'application/pdf'))
  await screen.findByText('Uploading 0%')
  await waitForView(() => expect(save()).toHaveProperty('disabled', false))
  fireEvent.click(save())
  expect(screen.getByRole('alert').textContent).toBe('Saving waits for the upload.')
  await act(async () => uploaded.next({url: 'https://hub.example/files/a.pdf'}))
  await waitForView(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'The upload is complete. Nothing was saved yet: now you can save.',
    ),
  )
  expect(onSave).not.toHaveBeenCalled()
  fireEvent.click(save())
  expect(onSave).toHaveBeenCalledOnce()
})
