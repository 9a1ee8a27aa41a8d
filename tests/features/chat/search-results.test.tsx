import {fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState, type ReactNode} from 'react'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {NEVER} from 'rxjs'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {searchedWords} from '#features/chat/searched-words.ts'
import {SearchField} from '#features/chat/list/search-field.tsx'
import {SearchResults} from '#features/chat/list/search-results.tsx'
import {searchIndexMachine, type RecordsChanged} from '#machines/search-index/search-index.machine.ts'
import {coarsePointer} from '#ui/use-media-query.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'

/** A search that finds the given hits, and the part of the page that lists them. */
function search(query: string, hits: readonly SearchHit[]) {
  const {actors} = createChatActors()
  const {chat, followed} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () => hits),
      },
    }),
  ).start()
  onTestFinished(() => void actor.stop())
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query})
  return {
    followed,
    inChat: (part: ReactNode) => <InChat chat={chat}>{part}</InChat>,
    results: (records: readonly ConversationRecord[]) => (
      <SearchResults actor={actor} actors={actors} records={records} group="chatgpt" onGo={undefined} />
    ),
  }
}

test('a hit leads to its message where messages have no ids, and takes the words along', async () => {
  const {inChat, results, followed} = search('bar', [{key: 'a', message: 1}])
  onTestFinished(() => searchedWords.set(undefined))
  renderView(inChat(results([record('a')])))
  const hit = await screen.findByRole('link')
  expect(hit.getAttribute('href')).toBe('/chatgpt/conversations/a#m2')
  fireEvent.click(hit)
  expect(followed).toEqual(['/chatgpt/conversations/a#m2'])
  expect(searchedWords.get()).toEqual({conversation: 'a', anchor: 'm2', query: 'bar'})
})

test('Enter in the field opens the first hit, once the hits are those of what is typed', async () => {
  const {inChat, results, followed} = search('bar', [{key: 'a'}, {key: 'b'}])
  const view = (query: string) =>
    inChat(
      <nav>
        <SearchField query={query} onChange={() => {}} ref={null} />
        {results([record('a'), record('b')])}
      </nav>,
    )
  const {rerender} = renderView(view('barn'))
  await screen.findAllByRole('link')
  fireEvent.keyDown(screen.getByRole('searchbox'), {key: 'Enter'})
  expect(followed).toEqual([])
  rerender(view('bar'))
  fireEvent.keyDown(screen.getByRole('searchbox'), {key: 'Enter'})
  expect(followed).toEqual(['/chatgpt/conversations/a'])
})

test('the button that clears the search gives its focus to the field, not on touch', async () => {
  const user = userEvent.setup()
  function Field() {
    const [query, setQuery] = useState('bar')
    return <SearchField query={query} onChange={setQuery} ref={null} />
  }
  renderView(<Field />)
  const clear = async () => {
    screen.getByRole('button', {name: 'Clear search'}).focus()
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('button', {name: 'Clear search'})).toBeNull()
  }
  await clear()
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  await user.keyboard('foo')
  expect(screen.getByRole('searchbox')).toHaveProperty('value', 'foo')
  vi.stubGlobal('matchMedia', (media: string) => ({matches: media === coarsePointer}))
  await clear()
  expect(document.activeElement).not.toBe(screen.getByRole('searchbox'))
})

test('hits of one title and different models name the model, those of another group too', async () => {
  const {inChat, results} = search(
    'title',
    ['a', 'b', 'c', 'd'].map((key) => ({key})),
  )
  const records = [
    record('a', {title: 'title'}),
    record('b', {title: 'title', model: 'gpt-4o-all'}),
    record('c', {title: 'title', model: 'grok-4'}),
    record('d', {model: 'grok-4'}),
  ]
  renderView(inChat(results(records)))
  const hits = await screen.findAllByRole('link')
  expect(hits.map(({textContent}) => textContent)).toEqual(['titleGPT-5', 'titleGPT-4o', 'titleGrok 4', 'title dGrok'])
})

test('a hit after the beginning of the question that is the title stands below it', async () => {
  const {inChat, results} = search('harbour', [{key: 'a', message: 0}])
  const question = `${'When does it open '.repeat(8)}at the harbour?`
  const [message] = record('a', {}).messages
  const asked = record('a', {
    title: undefined,
    messages: message === undefined ? [] : [{...message, content: question}],
  })
  renderView(inChat(results([asked])))
  const marks = await screen.findAllByText('harbour', {selector: 'mark'})
  expect(marks).toHaveLength(1)
})

test('a hit of the title leads to the message that has its words too, whose text stands there unless it is the title', async () => {
  const {inChat, results} = search(
    'foo',
    ['a', 'b'].map((key) => ({key, message: 0})),
  )
  const records = [record('a', {title: 'All of foo'}), record('b', {title: undefined})]
  renderView(inChat(results(records)))
  const hits = await screen.findAllByRole('link')
  expect(hits.map(({textContent}) => textContent)).toEqual(['All of foofoo?', 'foo?'])
  expect(hits.map((hit) => hit.getAttribute('href'))).toEqual([
    '/chatgpt/conversations/a#m1',
    '/chatgpt/conversations/b#m1',
  ])
})
