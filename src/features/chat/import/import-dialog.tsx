import {isolated} from '#domain/isolated-text.ts'
import {
  leftToSend,
  takenOf,
  type ConversationImportActor,
  type ConversationImportSnapshot,
} from '#machines/conversation-import/conversation-import.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import {FileChoice} from './file-choice.tsx'
import {FoundConversations, FoundFacts} from './found-conversations.tsx'
import {OutcomeFacts, RefusedConversations} from './import-outcome.tsx'
import styles from './import.module.css'

type ImportDialogProps = {
  snapshot: ConversationImportSnapshot
  send: ConversationImportActor['send']
  onFile: (file: File) => void
  /** Leads to a conversation by its id. */
  onOpen: (id: string) => void
  onClose: () => void
}

/** Brings conversations of an export file here: which file, what is in it, how far it is, and what became of it. */
export function ImportDialog({snapshot, send, onFile, onOpen, onClose}: ImportDialogProps) {
  const text = useText()
  const isBusy = snapshot.hasTag('busy')
  const cancel = () => send({type: 'import.cancel'})
  return (
    <Dialog
      open
      title={text('index.settingImport')}
      width={520}
      // what is on its way is stopped first, by its own button
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button variant="ghost" onClick={isBusy ? cancel : onClose}>
            {text(isBusy ? 'common.cancel' : 'common.close')}
          </Button>
          <NextStep snapshot={snapshot} send={send} onOpen={onOpen} />
        </>
      }
    >
      <div className={styles.body}>
        <ImportBody snapshot={snapshot} send={send} onFile={onFile} />
      </div>
    </Dialog>
  )
}

function NextStep({snapshot, send, onOpen}: Pick<ImportDialogProps, 'snapshot' | 'send' | 'onOpen'>) {
  const text = useText()
  const count = leftToSend(snapshot.context).length
  if (snapshot.matches('previewing') && count > 0)
    return (
      <Button variant="primary" onClick={() => send({type: 'import.start'})}>
        {text('index.settingImportGo', {count})}
      </Button>
    )
  if (snapshot.matches('stopped') && count > 0)
    return (
      <Button variant="primary" onClick={() => send({type: 'import.start'})}>
        {text('index.settingImportRest')}
      </Button>
    )
  const first = takenOf(snapshot.context).find(({id}) => id !== undefined)?.id
  if (snapshot.matches('done') && first !== undefined)
    return (
      <Button variant="primary" onClick={() => onOpen(first)}>
        {text('index.settingImportOpen')}
      </Button>
    )
  return null
}

/** Above: what is to be done or under way. One line that is announced. Below: the conversations it is about. */
function ImportBody({snapshot, send, onFile}: Pick<ImportDialogProps, 'snapshot' | 'send' | 'onFile'>) {
  const isFound = snapshot.matches('previewing') || snapshot.matches('unreachable')
  const isEnded = snapshot.matches('done') || snapshot.matches('stopped') || snapshot.matches('failed')
  const onOther = () => send({type: 'import.cancel'})
  return (
    <>
      <CurrentStep snapshot={snapshot} send={send} onFile={onFile} />
      {isFound && <ChosenFile name={snapshot.context.name} onOther={onOther} />}
      <div role="status" className={styles.status}>
        {isFound && <FoundFacts snapshot={snapshot} />}
        {snapshot.matches('paused') && <Waiting isFull={snapshot.context.failure?.status === 429} />}
        {isEnded && <OutcomeFacts snapshot={snapshot} />}
      </div>
      {isFound && <FoundConversations snapshot={snapshot} />}
      {isEnded && <RefusedConversations snapshot={snapshot} onOther={onOther} />}
    </>
  )
}

function CurrentStep({snapshot, send, onFile}: Pick<ImportDialogProps, 'snapshot' | 'send' | 'onFile'>) {
  const text = useText()
  const {name, share, fault, failure, results} = snapshot.context
  const retry = () => send({type: 'import.retry'})
  if (snapshot.matches('choosing')) return <FileChoice name={name} fault={fault} onFile={onFile} />
  if (snapshot.matches('reading'))
    return <Progress label={text('index.settingImportReading', {name: isolated(name)})} share={share} />
  if (snapshot.matches('comparing')) return <Progress label={text('index.settingImportComparing')} share={undefined} />
  if (snapshot.matches('unreachable'))
    return <Problem onRetry={retry}>{text('index.settingImportUnreachable')}</Problem>
  if (snapshot.matches('failed'))
    return (
      <Problem onRetry={retry}>
        {text('index.settingImportFailed')}
        {/* the server's words are in the user's language */}
        {failure?.status !== undefined && ` ${failure.detail}`}
      </Problem>
    )
  if (!snapshot.matches('sending') && !snapshot.matches('paused')) return null
  const doneCount = results.length
  const total = doneCount + leftToSend(snapshot.context).length
  return (
    <Progress
      label={text('index.settingImportSending', {done: doneCount, total})}
      share={total === 0 ? 1 : doneCount / total}
    />
  )
}

function ChosenFile({name, onOther}: {name: string; onOther: () => void}) {
  const text = useText()
  return (
    <p className={styles.file}>
      <bdi>{name}</bdi>
      <Button size="sm" onClick={onOther}>
        {text('index.settingImportOther')}
      </Button>
    </p>
  )
}

/** `isFull`: the server has taken as much as it takes at once. */
function Waiting({isFull}: {isFull: boolean}) {
  const text = useText()
  return <p>{text(isFull ? 'index.settingImportFull' : 'index.settingImportWaiting')}</p>
}

function Progress({label, share}: {label: string; share: number | undefined}) {
  return (
    <div className={styles.progress}>
      <p>{label}</p>
      <progress aria-label={label} max={1} value={share} />
    </div>
  )
}
