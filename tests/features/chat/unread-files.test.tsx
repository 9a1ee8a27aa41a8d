import {act, fireEvent, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import '#ui/overlays/popover-overlay.tsx'
import {record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'

/* Files that are in a conversation already, and a model that does not take them. */

const served: ServedModel[] = [
  {name: 'gpt-5-all', group: 'chatgpt', provider: 'p', isFileSupported: true, isImageSupported: true},
  {name: 'gpt-4o', group: 'chatgpt', provider: 'p', isImageSupported: true},
]
const limits = {longestText: 1_000, mostFileBytes: 3_000}
const short: ServedModel = {
  ...limits,
  name: 'short',
  label: 'Short',
  group: 'chatgpt',
  provider: 'p',
  isFileSupported: true,
}
const note = "GPT-4o basic can't read some of the files in this conversation. Its answers may leave them out or fail."
const asked = (url: string, size?: number): Partial<ConversationRecord> => ({
  messages: [
    {
      role: 'user',
      content: [
        {type: 'text', text: 'foo?'},
        {type: 'file_url', file_url: {url}, size},
      ],
    },
    {role: 'assistant', content: 'bar', state: 'finished', model: 'gpt-5-all'},
  ],
})
const choose = async (name: RegExp) => {
  const user = userEvent.setup()
  const button = await screen.findByRole('button', {name: /^Model: /})
  // the list comes with the first press, and suspends
  await act(() => user.click(button))
  await user.click(await screen.findByRole('gridcell', {name}))
}

test('files of the conversation that the chosen model cannot read are told above the field', async () => {
  await showScreen('a', {served, records: [record('a', asked('https://hub.example/files/a.pdf'))]})
  await screen.findByText('bar')
  expect(screen.queryByText(note)).toBeNull()
  await choose(/^GPT-4o basic/)
  expect(await screen.findByText(note)).toBeVisible()
  await choose(/^GPT-5 *Best/)
  expect(screen.queryByText(note)).toBeNull()
})

test('images are no obstacle for a model that reads images; a question that waits counts', async () => {
  const {actors} = await showScreen('a', {
    served,
    records: [record('a', {...asked('https://hub.example/files/a.png'), model: 'gpt-4o'})],
  })
  await screen.findByText('bar')
  expect(screen.queryByText(note)).toBeNull()
  const conversation = selectActiveConversation(actors.conversations.getSnapshot())
  conversation?.getSnapshot().context.followUps.send({
    type: 'followUp.add',
    ask: {question: 'foo?', references: ['https://hub.example/files/b.pdf'], key: 'waits'},
  })
  expect(await screen.findByText(note)).toBeVisible()
})

test('the models for another answer say which of them cannot read the files', async () => {
  await showScreen('a', {served, records: [record('a', asked('https://hub.example/files/a.pdf'))]})
  const answer = (await screen.findByText('bar')).closest('article')
  if (answer === null) throw new Error('no answer')
  fireEvent.click(within(answer).getByRole('button', {name: 'More actions'}))
  fireEvent.click(await screen.findByRole('menuitem', {name: 'Choose a model for a new answer'}))
  expect(await screen.findByRole('gridcell', {name: /GPT-4o basic reads images only/})).toBeVisible()
  expect(screen.queryByRole('gridcell', {name: /GPT-5 can't/})).toBeNull()
})

test('they say so of files over their limits too', async () => {
  const url = 'https://hub.example/files/log.txt?token=a.pdf'
  await showScreen('a', {served: [...served, short], records: [record('a', asked(url, 1_600))]})
  const answer = (await screen.findByText('bar')).closest('article')
  if (answer === null) throw new Error('no answer')
  fireEvent.click(within(answer).getByRole('button', {name: 'More actions'}))
  fireEvent.click(await screen.findByRole('menuitem', {name: 'Choose a model for a new answer'}))
  expect(
    await screen.findByRole('gridcell', {name: /^Short.*takes texts of at most 1 kB\. This one has 2 kB/}),
  ).toBeVisible()
  expect(screen.queryByRole('gridcell', {name: /^GPT-5.*at most/})).toBeNull()
})

test('files that are too large together, of questions that wait too, are told above the field', async () => {
  const {actors} = await showScreen('a', {
    served: [...served, short],
    records: [record('a', {...asked('https://hub.example/files/a.pdf', 2_000), model: 'short'})],
  })
  await screen.findByText('bar')
  const words = note.replace('GPT-4o basic', 'Short')
  expect(screen.queryByText(words)).toBeNull()
  const url = 'https://hub.example/files/b.pdf'
  selectActiveConversation(actors.conversations.getSnapshot())
    ?.getSnapshot()
    .context.followUps.send({
      type: 'followUp.add',
      ask: {question: 'foo?', references: [url], sizes: {[url]: 2_000}, key: 'waits'},
    })
  expect(await screen.findByText(words)).toBeVisible()
})
