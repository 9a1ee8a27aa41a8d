import {fireEvent, screen} from '@testing-library/react'
import {expect, onTestFinished, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {NEVER} from 'rxjs'
import type {SearchHit} from '#domain/search-index.ts'
import {searchedWords} from '#features/chat/searched-words.ts'
import {SearchField} from '#features/chat/list/search-field.tsx'
import {SearchResults} from '#features/chat/list/search-results.tsx'
import {searchIndexMachine, type RecordsChanged} from '#machines/search-index/search-index.machine.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'

test('a hit leads to its message where messages have no ids, and takes the words along', async () => {
  const {actors} = createChatActors()
  const {chat, followed} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () => [{key: 'a', message: 1}]),
      },
    }),
  ).start()
  onTestFinished(() => {
    actor.stop()
    searchedWords.set(undefined)
  })
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query: 'bar'})
  renderView(
    <InChat chat={chat}>
      <SearchResults actor={actor} actors={actors} records={[record('a')]} group="chatgpt" onGo={undefined} />
    </InChat>,
  )
  const hit = await screen.findByRole('link')
  expect(hit.getAttribute('href')).toBe('/chatgpt/conversations/a#m2')
  fireEvent.click(hit)
  expect(followed).toEqual(['/chatgpt/conversations/a#m2'])
  expect(searchedWords.get()).toEqual({conversation: 'a', anchor: 'm2', query: 'bar'})
})

test('Enter in the field opens the first hit, once the hits are those of what is typed', async () => {
  const {actors} = createChatActors()
  const {chat, followed} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () => [{key: 'a'}, {key: 'b'}]),
      },
    }),
  ).start()
  onTestFinished(() => void actor.stop())
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query: 'bar'})
  const view = (query: string) => (
    <InChat chat={chat}>
      <nav>
        <SearchField query={query} onChange={() => {}} ref={null} />
        <SearchResults
          actor={actor}
          actors={actors}
          records={[record('a'), record('b')]}
          group="chatgpt"
          onGo={undefined}
        />
      </nav>
    </InChat>
  )
  const {rerender} = renderView(view('barn'))
  await screen.findAllByRole('link')
  fireEvent.keyDown(screen.getByRole('searchbox'), {key: 'Enter'})
  expect(followed).toEqual([])
  rerender(view('bar'))
  fireEvent.keyDown(screen.getByRole('searchbox'), {key: 'Enter'})
  expect(followed).toEqual(['/chatgpt/conversations/a'])
})

test('hits of one title and different models name the model, those of another group too', async () => {
  const {actors} = createChatActors()
  const {chat} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () =>
          ['a', 'b', 'c', 'd'].map((key) => ({key})),
        ),
      },
    }),
  ).start()
  onTestFinished(() => void actor.stop())
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query: 'title'})
  const records = [
    record('a', {title: 'title'}),
    record('b', {title: 'title', model: 'gpt-4o-all'}),
    record('c', {title: 'title', model: 'grok-4'}),
    record('d', {model: 'grok-4'}),
  ]
  renderView(
    <InChat chat={chat}>
      <SearchResults actor={actor} actors={actors} records={records} group="chatgpt" onGo={undefined} />
    </InChat>,
  )
  const hits = await screen.findAllByRole('link')
  expect(hits.map(({textContent}) => textContent)).toEqual(['titleGPT-5', 'titleGPT-4o', 'titleGrok 4', 'title dGrok'])
})

test('a hit after the beginning of the question that is the title stands below it', async () => {
  const {actors} = createChatActors()
  const {chat} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () => [{key: 'a', message: 0}]),
      },
    }),
  ).start()
  onTestFinished(() => void actor.stop())
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query: 'harbour'})
  const question = `${'When does it open '.repeat(8)}at the harbour?`
  const [message] = record('a', {}).messages
  const asked = record('a', {
    title: undefined,
    messages: message === undefined ? [] : [{...message, content: question}],
  })
  renderView(
    <InChat chat={chat}>
      <SearchResults actor={actor} actors={actors} records={[asked]} group="chatgpt" onGo={undefined} />
    </InChat>,
  )
  const marks = await screen.findAllByText('harbour', {selector: 'mark'})
  expect(marks).toHaveLength(1)
})

test('a hit of the title leads to the message that has its words too, whose text stands there unless it is the title', async () => {
  const {actors} = createChatActors()
  const {chat} = createChat(actors)
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => NEVER),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async () =>
          ['a', 'b'].map((key) => ({key, message: 0})),
        ),
      },
    }),
  ).start()
  onTestFinished(() => void actor.stop())
  actor.send({type: 'records.changed', records: []})
  actor.send({type: 'query.change', query: 'foo'})
  const records = [record('a', {title: 'All of foo'}), record('b', {title: undefined})]
  renderView(
    <InChat chat={chat}>
      <SearchResults actor={actor} actors={actors} records={records} group="chatgpt" onGo={undefined} />
    </InChat>,
  )
  const hits = await screen.findAllByRole('link')
  expect(hits.map(({textContent}) => textContent)).toEqual(['All of foofoo?', 'foo?'])
  expect(hits.map((hit) => hit.getAttribute('href'))).toEqual([
    '/chatgpt/conversations/a#m1',
    '/chatgpt/conversations/b#m1',
  ])
})
