import {waitFor} from '@testing-library/react'
import {expect, onTestFinished, test, vi} from 'vitest'
import {archiveCommand} from '#app/commands/archive-command.tsx'
import type {ModelGroup} from '#contract/models.ts'
import {wantedInList} from '#features/chat/list/list-request.ts'
import {tools} from '#features/shell/tools.ts'
import {createChat, createChatActors, record} from './features/chat/chat-fixture.tsx'

async function startArchive(
  records: ReturnType<typeof record>[],
  {current, marks = true}: {current?: ModelGroup; marks?: boolean} = {},
) {
  onTestFinished(() => wantedInList.set(undefined))
  const {actors} = createChatActors({records})
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  actors.conversations.send({type: 'service.changed', capabilities: marks ? ['marks'] : []})
  const {chat} = createChat(actors)
  const navigate = vi.fn(async () => undefined)
  const making = {text: (id: string) => id, english: () => 'Show the archive'}
  const command = archiveCommand(making, tools, {
    chat,
    conversations: actors.conversations,
    served: [],
    current,
    navigate,
  })
  return {command, navigate, conversations: actors.conversations}
}

test('the archive of the page is shown where the page has one', async () => {
  const records = [record('a', {archived: true}), record('b', {archived: true, model: 'grok-4', updatedAt: 9})]
  const {command, navigate, conversations} = await startArchive(records, {current: 'chatgpt'})
  expect(command).toMatchObject({label: 'chat.archiveOpen', words: 'Show the archive'})
  command?.run()
  await waitFor(() => expect(wantedInList.get()).toEqual({kind: 'archive', conversations}))
  expect(navigate).not.toHaveBeenCalled()
})

test('from a page whose archive is empty it leads to the group that has the newest archived conversation', async () => {
  const records = [
    record('a', {archived: true, updatedAt: 1}),
    record('b', {archived: true, model: 'grok-4', updatedAt: 2}),
    record('c', {model: 'deepseek-v3', updatedAt: 3}),
  ]
  const {command, navigate, conversations} = await startArchive(records, {current: 'deepseek'})
  command?.run()
  await waitFor(() => expect(wantedInList.get()).toEqual({kind: 'archive', conversations}))
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/grok/conversations')
})

test('an empty archive is that of the page; without conversations or a server that keeps one there is none', async () => {
  const {command, navigate} = await startArchive([record('a')], {current: 'chatgpt'})
  command?.run()
  await waitFor(() => expect(wantedInList.get()).toBeDefined())
  expect(navigate).not.toHaveBeenCalled()
  expect((await startArchive([])).command).toBeUndefined()
  expect((await startArchive([record('a', {archived: true})], {marks: false})).command).toBeUndefined()
})
