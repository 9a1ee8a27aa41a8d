import {useState} from 'react'
import {isolated} from '#domain/isolated-text.ts'
import {selectRefusal, type CallHandle} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import {refusalText} from './refusal-text.ts'
import {useRefusedValue} from './use-refused-value.ts'
import styles from './profile-page.module.css'

type AccountDataProps = {
  /** The user's address, typed to confirm. */
  email: string
  exporting: CallHandle
  deleting: CallHandle
}

/** Everything stored of the user: to take along, or to delete for good. */
export function AccountData({email, exporting, deleting}: AccountDataProps) {
  const text = useText()
  const isExporting = exporting.snapshot.matches('sending')
  const refusal = selectRefusal(exporting.snapshot)
  return (
    <div className={surface.surface}>
      <div className={styles.offer}>
        <div className={styles.offerText}>
          <p className={styles.offerTitle}>{text('index.profileExport')}</p>
          <p className={styles.meta}>{text('index.profileExportHelp')}</p>
          <p role="status" className={styles.meta}>
            {isExporting && text('index.profileExportPreparing')}
            {exporting.snapshot.matches('done') && text('index.profileExportDone')}
          </p>
          {refusal !== undefined && (
            <Problem>{refusal.status === 429 ? refusalText(text, refusal) : text('index.profileExportFailed')}</Problem>
          )}
        </div>
        {isExporting ? (
          <Button onClick={() => exporting.send({type: 'call.close'})}>{text('common.cancel')}</Button>
        ) : (
          <Button onClick={() => exporting.send({type: 'call.send'})}>{text('index.profileExportGo')}</Button>
        )}
      </div>
      <div className={styles.offer}>
        <div className={styles.offerText}>
          <p className={styles.offerTitle}>{text('index.profileDelete')}</p>
          <p className={styles.meta}>{text('index.profileDeleteHelp')}</p>
        </div>
        <Button variant="danger" onClick={() => deleting.send({type: 'call.open'})}>
          {text('index.profileDeleteGo')}
        </Button>
      </div>
      <DeleteDialog email={email} {...deleting} />
    </div>
  )
}

function DeleteDialog({email, snapshot, send}: CallHandle & {email: string}) {
  const text = useText()
  const isBusy = snapshot.matches('sending') || snapshot.matches('done')
  const close = () => send({type: 'call.close'})
  return (
    <Dialog
      open={snapshot.matches('open') || isBusy}
      title={text('index.profileDeleteTitle')}
      description={text('index.profileDeleteText')}
      width={440}
      // a deletion on its way cannot be taken back
      onClose={isBusy ? undefined : close}
    >
      <DeleteForm email={email} snapshot={snapshot} send={send} />
    </Dialog>
  )
}

/** Lives as long as the dialog: nothing of a password is left when it closes. */
function DeleteForm({email, snapshot, send}: CallHandle & {email: string}) {
  const text = useText()
  const [confirmation, setConfirmation] = useState('')
  const [password, setPassword] = useState('')
  const isBusy = snapshot.matches('sending') || snapshot.matches('done')
  const refusal = selectRefusal(snapshot)
  const message = text('index.profilePasswordWrong')
  const wrong = useRefusedValue({refusal, field: 'password', value: password, message})
  const isConfirmed = confirmation.trim().toLowerCase() === email.toLowerCase() && password !== ''
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isConfirmed) return
        send({type: 'call.send', values: {password}})
      }}
    >
      <TextField
        label={text('index.profileDeleteConfirm', {email: isolated(email)})}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={confirmation}
        readOnly={isBusy}
        onChange={({currentTarget: {value}}) => setConfirmation(value)}
      />
      <TextField
        label={text('index.profilePassword')}
        type="password"
        autoComplete="current-password"
        value={password}
        readOnly={isBusy}
        {...wrong}
        onChange={({currentTarget: {value}}) => setPassword(value)}
      />
      {refusal !== undefined && refusal.field !== 'password' && (
        <Problem>{refusal.status === 409 ? text('index.profileDeleteOperator') : refusalText(text, refusal)}</Problem>
      )}
      <div className={styles.actions}>
        <Button disabled={isBusy} onClick={() => send({type: 'call.close'})}>
          {text('common.cancel')}
        </Button>
        <Button type="submit" variant="danger" loading={isBusy} disabled={!isBusy && !isConfirmed}>
          {text('index.profileDeleteGo')}
        </Button>
      </div>
    </form>
  )
}
