import {useCallback, useEffect, useEffectEvent, useState} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {SearchIndexActor} from '#machines/search-index/search-index.machine.ts'
import {useChat} from '../chat.context.tsx'
import {keptWith} from './kept-list-state.ts'
import {useListRequest} from './use-list-request.ts'

export type ConversationSearch = {
  query: string
  /** Absent until the first search. */
  actor: SearchIndexActor | undefined
  change: (query: string) => void
}

const useKeptQuery = keptWith('')
const useKeptActor = keptWith<SearchIndexActor | undefined>(undefined)

/**
 * Searches the list; the index is filled from the first letter on.
 * @param onWanted gives the field the focus and these words, which the next key follows: the search was asked for, by
 * its keys or elsewhere on the page
 */
export function useSearch(conversations: ConversationListActor, onWanted: (query: string) => void): ConversationSearch {
  const {startSearch} = useChat()
  const [query, words] = useKeptQuery(conversations)
  const [actor, search] = useKeptActor(conversations)
  const [, setFailure] = useState<never>()
  const change = useCallback(
    (next: string) => {
      words.set(next)
      const runningSearch = search.get()
      // one that broke is started again
      if (runningSearch?.getSnapshot().status === 'active')
        return runningSearch.send({type: 'query.change', query: next})
      startSearch(conversations).then(
        (newSearch) => {
          search.set(newSearch)
          newSearch?.send({type: 'query.change', query: words.get()})
        },
        // to the error boundary of the list
        (error: unknown) =>
          setFailure(() => {
            throw error
          }),
      )
    },
    [conversations, search, startSearch, words],
  )
  const show = () => {
    const typedText = takeTypedAhead()
    if (typedText !== '') change(words.get() + typedText)
    onWanted(words.get())
  }
  const showOffered = useEffectEvent(show)
  useListRequest(conversations, 'search', (wantedQuery) => {
    if (wantedQuery !== undefined) change(wantedQuery)
    show()
  })
  // what offers it beside other pages and a hidden list comes with the first press of a key
  useEffect(() => offerCommands({searchList: () => showOffered()}), [])
  return {query, actor, change}
}
