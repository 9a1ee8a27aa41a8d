import {
  leftToSend,
  takenOf,
  type ConversationImportSnapshot,
} from '#machines/conversation-import/conversation-import.machine.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {ShortList} from './short-list.tsx'
import styles from './import.module.css'

type Outcome = {snapshot: ConversationImportSnapshot}

/** Counts what became of the conversations of a file. */
export function OutcomeFacts({snapshot}: Outcome) {
  const text = useText()
  const importedCount = takenOf(snapshot.context).length
  const remaining = leftToSend(snapshot.context).length
  return (
    <ul className={styles.facts}>
      <li>{text('index.settingImportDone', {count: importedCount})}</li>
      {remaining > 0 && <li>{text('index.settingImportLeft', {count: remaining})}</li>}
    </ul>
  )
}

/** The conversations that the server did not take, with its reasons. */
export function RefusedConversations({snapshot, onOther}: Outcome & {onOther: () => void}) {
  const text = useText()
  const {results, preview, unsent} = snapshot.context
  const refusals = results.filter(({state}) => state === 'refused')
  return (
    <>
      {refusals.length > 0 && (
        <>
          <p>{text('index.settingImportRefused', {count: refusals.length})}</p>
          <ShortList
            items={refusals.map(({index, detail}) => ({
              title: preview?.conversations[index]?.title ?? '',
              note: detail,
            }))}
          />
        </>
      )}
      {unsent.length > 0 && (
        <>
          <p>{text('index.settingImportUnsent', {count: unsent.length})}</p>
          <ShortList items={unsent.map(({name, detail}) => ({title: name, note: detail || undefined}))} />
        </>
      )}
      <Button size="sm" onClick={onOther}>
        {text('index.settingImportOther')}
      </Button>
    </>
  )
}
