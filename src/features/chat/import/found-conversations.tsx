import type {ImportSource} from '#contract/imports.ts'
import {mostImportMessages} from '#contract/imports.ts'
import type {ImportFault} from '#domain/import-conversation.ts'
import {isolated} from '#domain/isolated-text.ts'
import {leftToSend, type ConversationImportSnapshot} from '#machines/conversation-import/conversation-import.machine.ts'
import {useText, type MessageId} from '#ui/text.tsx'
import {ShortList} from './short-list.tsx'
import styles from './import.module.css'

const sourceNames: Record<ImportSource, string> = {atrium: 'Atrium', chatgpt: 'ChatGPT', lobechat: 'LobeChat'}

const faultTexts: Record<ImportFault, MessageId> = {
  unreadable: 'index.settingImportUnreadable',
  empty: 'index.settingImportEmpty',
  tooMany: 'index.settingImportTooMany',
  tooLong: 'index.settingImportTooLong',
}

type ImportProps = {snapshot: ConversationImportSnapshot}

/** Counts the conversations of a file. */
export function FoundFacts({snapshot}: ImportProps) {
  const text = useText()
  const {preview, present} = snapshot.context
  if (preview === undefined) return null
  const {conversations, source} = preview
  const sum = (count: 'messages' | 'lost' | 'leftOut') =>
    conversations.reduce((all, conversation) => all + (conversation[count] ?? 0), 0)
  const presentCount = Object.keys(present).length
  return (
    <ul className={styles.facts}>
      <li>
        {text('index.settingImportFound', {
          app: isolated(sourceNames[source]),
          count: conversations.length,
          messages: sum('messages'),
        })}
      </li>
      {presentCount > 0 && <li>{text('index.settingImportPresent', {count: presentCount})}</li>}
      {sum('lost') > 0 && <li>{text('index.settingImportLost', {count: sum('lost')})}</li>}
      {sum('leftOut') > 0 && <li>{text('index.settingImportLeftOut', {count: sum('leftOut')})}</li>}
      {leftToSend(snapshot.context).length === 0 && <li>{text('index.settingImportNothing')}</li>}
    </ul>
  )
}

/** The conversations that would be sent, and those that cannot be, before anything is sent. */
export function FoundConversations({snapshot}: ImportProps) {
  const text = useText()
  const {conversations = [], faulty = []} = snapshot.context.preview ?? {}
  const remaining = leftToSend(snapshot.context).map((index) => conversations[index])
  return (
    <>
      <ShortList items={remaining.map((conversation) => ({title: conversation?.title ?? ''}))} />
      {faulty.length > 0 && (
        <>
          <p>{text('index.settingImportFaulty', {count: faulty.length})}</p>
          <ShortList
            items={faulty.map(({title, fault}) => ({title, note: text(faultTexts[fault], {most: mostImportMessages})}))}
          />
        </>
      )}
    </>
  )
}
