import {shallowEqual, useSelector} from '@xstate/react'
import {useMemo} from 'react'
import {modelGroupNames} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle, shortQuestion} from '#domain/conversation-title.ts'
import {foldText} from '#domain/fold-text.ts'
import {searchedMessage} from '#domain/search-entry.ts'
import {mostHits, snippetOf, titleLead, type SearchHit, type SnippetPiece} from '#domain/search-index.ts'
import {shownText} from '#domain/shown-text.ts'
import {queryAsShown} from '#domain/visible-text.ts'
import {selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {
  selectFound,
  selectIsAsking,
  selectIsReading,
  selectIsUnread,
  selectProgress,
  selectSearchFailure,
  type SearchIndexActor,
} from '#machines/search-index/search-index.machine.ts'
import {Button} from '#ui/button.tsx'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'
import {useChat, type ChatActors, type ChatLocation} from '../chat.context.tsx'
import {groupOfModel} from '../model-catalogue.ts'
import {searchedWords} from '../searched-words.ts'
import {modelNotes} from './model-notes.ts'
import styles from './search.module.css'

type SearchResultsProps = {
  actor: SearchIndexActor
  actors: ChatActors
  /** All conversations of the device, of every group. */
  records: readonly ConversationRecord[]
  group: ChatLocation['group']
  onGo: (() => void) | undefined
}

/** The results for the words in the field: conversations of every group, with the text around the first hit. */
export function SearchResults({actor, actors, records, group, onGo}: SearchResultsProps) {
  const text = useText()
  const {query, hits} = useSelector(actor, selectFound)
  const progress = useSelector(actor, selectProgress, shallowEqual)
  const isAsking = useSelector(actor, selectIsAsking)
  const isReading = useSelector(actor, selectIsReading)
  const isUnread = useSelector(actor, selectIsUnread)
  const failure = useSelector(actor, selectSearchFailure)
  const status = useSelector(actors.conversations, selectStatus)
  const servedModels = useSelector(actors.provisioning, selectServedModels)
  const notes = useMemo(() => modelNotes(records, servedModels), [records, servedModels])
  const byKey = new Map(records.map((record) => [record.key, record]))
  const matches = hits.flatMap((hit) => {
    const record = byKey.get(hit.key)
    return record === undefined ? [] : [{hit, record}]
  })
  if (failure !== undefined)
    return (
      <div role="alert" className={styles.note}>
        <p>{text('chat.searchFailed')}</p>
        <Button size="sm" onClick={() => actor.send({type: 'search.retry'})}>
          {text('common.retry')}
        </Button>
      </div>
    )
  const isOpen = progress !== undefined || isAsking || isReading || query === ''
  return (
    <>
      <p role="status" className={styles.note}>
        {progress !== undefined
          ? text('chat.searchProgress', progress)
          : matches.length > 0
            ? text(hits.length < mostHits ? 'chat.searchCount' : 'chat.searchMost', {count: matches.length})
            : !isOpen && text('chat.searchNone')}
      </p>
      {(status === 'request' || isReading) && <p className={styles.note}>{text('chat.searchReading')}</p>}
      {(status === 'error' || isUnread) && <p className={styles.note}>{text('chat.searchIncomplete')}</p>}
      <ul aria-label={text('chat.searchResults')} data-query={query}>
        {matches.map(({hit, record}) => (
          <Result key={hit.key} {...{hit, record, query, actors, group, onGo}} note={notes.get(hit.key)} />
        ))}
      </ul>
    </>
  )
}

type ResultProps = Pick<SearchResultsProps, 'actors' | 'group' | 'onGo'> & {
  hit: SearchHit
  record: ConversationRecord
  query: string
  /** Its model, where another one has the same title. */
  note: string | undefined
}

function Result({hit, record, query, note, actors, group, onGo}: ResultProps) {
  const text = useText()
  const {navigation} = useChat()
  const servedModels = useSelector(actors.provisioning, selectServedModels)
  const own = groupOfModel(record.model, servedModels) ?? group
  const {message, anchor} = searchedMessage(record, hit)
  const title = conversationTitle(record)
  const titlePieces = snippetOf(title || text('chat.untitled'), query, titleLead)
  // a title is the beginning of the question: words after it are seen in the question alone
  const isInTitle = message !== undefined && shortQuestion(message) === title && titlePieces.some(({isHit}) => isHit)
  const messageText = message === undefined ? '' : shownText(message)
  const shownQuery = message?.role === 'assistant' ? queryAsShown(query, foldText(messageText)) : query
  const href = navigation.href({group: own, conversation: record.id ?? record.key, message: anchor})
  return (
    <li>
      <PageLink
        className={styles.result}
        data-row={record.key}
        href={href}
        onFollow={() => {
          if (anchor !== '') searchedWords.set({conversation: record.key, anchor, query: shownQuery})
          navigation.follow(href)
          onGo?.()
        }}
      >
        <bdi className={styles.title}>
          <Marked pieces={titlePieces} />
        </bdi>
        {message !== undefined && !isInTitle && (
          <span className={styles.snippet} dir="auto">
            <Marked pieces={snippetOf(messageText, shownQuery)} />
          </span>
        )}
        {(note !== undefined || own !== group) && <bdi className={styles.group}>{note ?? modelGroupNames[own]}</bdi>}
      </PageLink>
    </li>
  )
}

const Marked = ({pieces}: {pieces: readonly SnippetPiece[]}) =>
  pieces.map((piece, index) => (piece.isHit ? <mark key={index}>{piece.text}</mark> : piece.text))
