import {useActor} from '@xstate/react'
import {useState} from 'react'
import {errorTextId} from '#domain/failure.ts'
import {callOf, selectRefusal} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {useMedia, type Renewing} from './media.context.ts'
import styles from './renew-dialog.module.css'

/** Milliseconds. */
const deadline = 20_000

/** Asks before an address is renewed, since the old one is lost. Then the task is read again, with the new one. */
export function RenewDialog({task, address, onClose}: Renewing & {onClose: () => void}) {
  const {renewal, actors, notify} = useMedia()
  const text = useText()
  const [logic] = useState(() =>
    callOf(async () => {
      await renewal?.renew(address)
      actors.lookup.send({type: 'task.reread', id: task})
      // other tasks may name the file as well
      actors.pages.send({type: 'tasks.refresh'})
      notify({kind: 'success', textId: 'common.mediaRenewed'})
      onClose()
    }),
  )
  const [snapshot, send] = useActor(logic, {input: {deadline}})
  const failure = selectRefusal(snapshot)
  return (
    <Dialog
      open
      title={text('common.mediaRenewAsk')}
      description={text('common.mediaRenewText')}
      onClose={onClose}
      cancel="offered"
      actions={
        <Button variant="primary" loading={snapshot.matches('sending')} onClick={() => send({type: 'call.send'})}>
          {text('common.mediaRenew')}
        </Button>
      }
    >
      {failure !== undefined && (
        <p className={styles.problem} role="alert">
          {text(failure.code === 'busy' ? 'common.mediaRenewBusy' : errorTextId(failure))}
        </p>
      )}
    </Dialog>
  )
}
