import {useState} from 'react'
import {errorTextId, toFailure, type Failure} from '#domain/failure.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {useMedia, type Renewing} from './media.context.ts'
import styles from './renew-dialog.module.css'

type Step = {state: 'asking' | 'renewing'} | {state: 'failed'; failure: Failure}

/** Asks before an address is renewed, since the old one is lost with it. Then the task is read again, with the new one. */
export function RenewDialog({task, address, onClose}: Renewing & {onClose: () => void}) {
  const {renewal, actors, notify} = useMedia()
  const text = useText()
  const [step, setStep] = useState<Step>({state: 'asking'})
  const renew = () => {
    if (renewal === undefined) return
    setStep({state: 'renewing'})
    renewal.renew(address).then(
      () => {
        actors.lookup.send({type: 'task.reread', id: task})
        // other tasks may name the file as well
        actors.pages.send({type: 'tasks.refresh'})
        notify({kind: 'success', textId: 'common.mediaRenewed'})
        onClose()
      },
      (error: unknown) => setStep({state: 'failed', failure: toFailure(error)}),
    )
  }
  return (
    <Dialog
      open
      title={text('common.mediaRenewAsk')}
      description={text('common.mediaRenewText')}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {text('common.cancel')}
          </Button>
          <Button variant="primary" loading={step.state === 'renewing'} onClick={renew}>
            {text('common.mediaRenew')}
          </Button>
        </>
      }
    >
      {step.state === 'failed' && (
        <p className={styles.problem} role="alert">
          {text(step.failure.code === 'busy' ? 'common.mediaRenewBusy' : errorTextId(step.failure))}
        </p>
      )}
    </Dialog>
  )
}
