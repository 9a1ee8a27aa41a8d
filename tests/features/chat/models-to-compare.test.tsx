import {Suspense} from 'react'
import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {offeredModels} from '#features/chat/model-catalogue.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'

test('the list of models of an open conversation leads to several, with what was typed there', async () => {
  const {actors} = createChatActors({records: [record('a')]})
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  actors.conversations.send({type: 'conversation.open', key: 'a'})
  const {chat, drafts} = createChat(actors)
  const follow = vi.spyOn(chat.navigation, 'follow')
  const typed = {text: 'and then?', references: [{url: 'https://hub.example/files/a.pdf', name: 'a.pdf', size: 3}]}
  chat.drafts.write('a', typed)
  chat.drafts.write('new/chatgpt', {text: 'for a new one', references: []})
  const {ModelChoice} = chat
  const anchor = {current: document.body.appendChild(document.createElement('button'))}
  // React drops a render that suspends in a synchronous act
  await act(async () => {
    renderView(
      <InChat chat={chat}>
        <Suspense>
          <ModelChoice
            {...{models: offeredModels('chatgpt', []), chosen: undefined, anchor}}
            onChoose={() => undefined}
            onClose={() => undefined}
            open
          />
        </Suspense>
      </InChat>,
    )
  })
  fireEvent.click(await screen.findByRole('button', {name: 'Ask several models…'}))
  expect(follow.mock.calls).toEqual([['/compare', 'a']])
  expect([drafts.get('compare'), drafts.get('a')]).toEqual([undefined, typed])
  expect(drafts.get('new/chatgpt')?.text).toBe('for a new one')
})

test('the list of models for another answer leads to several, with the question', async () => {
  const {actors} = createChatActors({records: [record('a')]})
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  actors.conversations.send({type: 'conversation.open', key: 'a'})
  const {chat, drafts, followed} = createChat(actors)
  const {ModelChoice} = chat
  const anchor = {current: document.body.appendChild(document.createElement('button'))}
  const models = offeredModels('chatgpt', [])
  // React drops a render that suspends in a synchronous act
  await act(async () => {
    renderView(
      <InChat chat={chat}>
        <Suspense>
          <ModelChoice
            {...{models, chosen: undefined, anchor}}
            onChoose={() => undefined}
            onClose={() => undefined}
            open
            isForAnswer
          />
        </Suspense>
      </InChat>,
    )
  })
  fireEvent.click(await screen.findByRole('button', {name: 'Ask several models…'}))
  expect(followed).toEqual(['/compare'])
  expect(drafts.get('compare')).toEqual({text: 'foo?', references: []})
})
