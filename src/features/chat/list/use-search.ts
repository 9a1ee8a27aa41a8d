import {useCallback, useEffect, useEffectEvent, useRef} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {SearchIndexActor} from '#machines/search-index/search-index.machine.ts'
import {useChat} from '../chat.context.tsx'
import {keptWith} from './kept-list-state.ts'
import {wantedSearch} from './search-request.ts'

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
 * @param onWanted gives the field the focus and these words, which the next key follows: the search was asked for, by its keys or
 *   elsewhere on the page
 */
export function useSearch(conversations: ConversationListActor, onWanted: (query: string) => void): ConversationSearch {
  const {startSearch} = useChat()
  const [query, setQuery] = useKeptQuery(conversations)
  const [actor, setActor] = useKeptActor(conversations)
  const newest = useRef(query)
  const change = useCallback(
    (next: string) => {
      newest.current = next
      setQuery(next)
      // one that broke is started again
      if (actor?.getSnapshot().status === 'active') return actor.send({type: 'query.change', query: next})
      startSearch(conversations).then(
        (newSearch) => {
          setActor(newSearch)
          newSearch?.send({type: 'query.change', query: newest.current})
        },
        // to the error boundary of the list
        (error: unknown) =>
          setActor(() => {
            throw error
          }),
      )
    },
    [actor, conversations, setActor, setQuery, startSearch],
  )
  const show = useEffectEvent(() => {
    const typedText = takeTypedAhead()
    if (typedText !== '') change(newest.current + typedText)
    onWanted(newest.current)
  })
  const take = useEffectEvent(() => {
    const waitingSearch = wantedSearch.get()
    if (waitingSearch?.conversations !== conversations) return
    wantedSearch.set(undefined)
    if (waitingSearch.query !== undefined) change(waitingSearch.query)
    show()
  })
  useEffect(() => {
    take()
    return wantedSearch.subscribe(take)
  }, [])
  // what offers it beside other pages and a hidden list comes with the first press of a key
  useEffect(() => offerCommands({searchList: () => show()}), [])
  return {query, actor, change}
}
