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

/** What became of the conversations of a file, in numbers. */
export function OutcomeFacts({snapshot}: Outcome) {
  const text = useText()
  const imported = takenOf(snapshot.context).length
  const remaining = leftToSend(snapshot.context).length
  return (
    <ul className={styles.facts}>
      <li>{text('index.settingImportDone', {count: imported})}</li>
      {remaining > 0 && <li>{text('index.settingImportLeft', {count: remaining})}</li>}
    </ul>
  )
}

/** What the server did not take, with its reasons. */
export function RefusedConversations({snapshot, onOther}: Outcome & {onOther: () => void}) {
  const text = useText()
  const {results, preview, unsent} = snapshot.context
  const refused = results.filter(({state}) => state === 'refused')
  return (
    <>
      {refused.length > 0 && (
        <>
          <p>{text('index.settingImportRefused', {count: refused.length})}</p>
          <ShortList
            items={refused.map(({index, detail}) => ({
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
