import {useState} from 'react'
import type {ApiKey} from '#domain/api-key.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import type {Failure} from '#domain/failure.ts'
import {isolated} from '#domain/isolated-text.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {keyName} from './key-table.tsx'
import {KeyToken, type KeyActions} from './key-token.tsx'
import styles from './key-dialogs.module.css'

/** The longest name that the server takes, in characters. */
const longestName = 120

/** A new key: its name, then the key itself. */
export function CreateKeyDialog(actions: KeyActions) {
  const text = useText()
  const {snapshot, send} = actions
  const isCreated = snapshot.matches({open: {dialog: {creating: 'created'}}})
  const close = () => send({type: 'dialog.close'})
  return (
    <Dialog
      open={snapshot.matches({open: {dialog: 'creating'}})}
      title={text(isCreated ? 'credential.createdTitle' : 'credential.createTitle')}
      description={text(isCreated ? 'credential.createdText' : 'credential.createText')}
      onClose={close}
    >
      {isCreated ? <NewKey {...actions} /> : <NameForm {...actions} />}
    </Dialog>
  )
}

function NameForm({snapshot, send}: KeyActions) {
  const text = useText()
  const [name, setName] = useState('')
  const isSending = snapshot.matches({open: {dialog: {creating: 'sending'}}})
  const {failure} = snapshot.context
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send({type: 'key.create', name: name.trim()})
      }}
    >
      <TextField
        label={text('credential.name')}
        help={text('credential.nameHelp')}
        autoComplete="off"
        data-first-focus
        maxLength={longestName}
        readOnly={isSending}
        value={name}
        onChange={({currentTarget: {value}}) => setName(value)}
      />
      {failure !== undefined && <Problem>{createFault(text, failure)}</Problem>}
      <div className={styles.actions}>
        <Button disabled={isSending} onClick={() => send({type: 'dialog.close'})}>
          {text('common.cancel')}
        </Button>
        <Button type="submit" variant="primary" loading={isSending}>
          {text('credential.create')}
        </Button>
      </div>
    </form>
  )
}

/** A key whose answer was lost may exist: nothing is sent again without the user. */
function createFault(text: Text, failure: Failure): string {
  if (failure.lost === true) return text('credential.createUnsure')
  if (failure.status === 409) return text('credential.mostKeys')
  return `${text('credential.createFailed')} ${text(accountErrorTextId(failure))}`
}

function NewKey(actions: KeyActions) {
  const text = useText()
  const {created, name = '', revealed} = actions.snapshot.context
  if (created === undefined) return null
  const mask = revealed?.id === created ? undefined : '••••••••'
  return (
    <div className={styles.form}>
      <KeyToken
        apiKey={{id: created, masked: mask}}
        name={name === '' ? text('credential.unnamed') : name}
        {...actions}
      />
      <div className={styles.actions}>
        <Button variant="primary" onClick={() => actions.send({type: 'dialog.close'})}>
          {text('credential.done')}
        </Button>
      </div>
    </div>
  )
}

type RevokeKeyDialogProps = Pick<KeyActions, 'snapshot' | 'send'> & {
  /** The key that the chart asks about, as the list has it. */
  apiKey: ApiKey | undefined
}

/** Asks before a key is revoked, and says why one could not be. */
export function RevokeKeyDialog({snapshot, send, apiKey}: RevokeKeyDialogProps) {
  const text = useText()
  const isSending = snapshot.matches({open: {dialog: {revoking: 'sending'}}})
  const {failure} = snapshot.context
  const name = apiKey === undefined ? text('credential.unnamed') : keyName(text, apiKey)
  const help =
    apiKey?.host === undefined
      ? 'credential.revokeText'
      : apiKey.isOwn
        ? 'credential.revokeOwnText'
        : 'credential.revokeBrowserText'
  return (
    <Dialog
      open={snapshot.matches({open: {dialog: 'revoking'}})}
      title={text('credential.revokeTitle', {name: isolated(name)})}
      description={text(help)}
      width={440}
      onClose={() => send({type: 'dialog.close'})}
      cancel={isSending ? 'disabled' : 'offered'}
      actions={
        <Button variant="danger" loading={isSending} onClick={() => send({type: 'revoke.confirm'})}>
          {text('credential.revoke')}
        </Button>
      }
    >
      {failure !== undefined && (
        <Problem>
          {text('credential.revokeFailed')} {text(accountErrorTextId(failure))}
        </Problem>
      )}
    </Dialog>
  )
}
