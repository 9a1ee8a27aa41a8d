import {useState} from 'react'
import {passwordLengths} from '#contract/account.ts'
import {isNewPassword, passwordFault, type NewPassword, type PasswordFault} from '#domain/profile.ts'
import {selectRefusal, type CallHandle} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {refusalText} from './refusal-text.ts'
import {useRefusedValue} from './use-refused-value.ts'
import styles from './profile-page.module.css'

const empty: NewPassword = {current: '', next: '', repeated: ''}

/** Changes the password; all other sessions end with it. */
export function PasswordDialog({snapshot, send}: CallHandle) {
  const text = useText()
  const isSending = snapshot.matches('sending')
  return (
    <Dialog
      open={snapshot.matches('open') || isSending}
      title={text('index.profilePasswordChange')}
      width={420}
      // after closing, the user would not learn whether the password was changed
      onClose={isSending ? undefined : () => send({type: 'call.close'})}
    >
      <PasswordForm snapshot={snapshot} send={send} />
    </Dialog>
  )
}

/** Lives as long as the dialog: nothing of a password is left when it closes. */
function PasswordForm({snapshot, send}: CallHandle) {
  const text = useText()
  const [password, setPassword] = useState(empty)
  const isSending = snapshot.matches('sending')
  const refusal = selectRefusal(snapshot)
  const wrong = useRefusedValue({
    refusal,
    field: 'current_password',
    value: password.current,
    message: text('index.profilePasswordWrong'),
  })
  const fault = passwordFault(password)
  const set = (change: Partial<NewPassword>) => setPassword({...password, ...change})
  const least = passwordLengths.shortest
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isNewPassword(password)) return
        const values = {current_password: password.current, new_password: password.next}
        send({type: 'call.send', values})
      }}
    >
      <TextField
        label={text('index.profilePasswordCurrent')}
        type="password"
        autoComplete="current-password"
        value={password.current}
        // a disabled field would lose the focus, and a changed one the message of what was sent
        readOnly={isSending}
        {...wrong}
        onChange={({currentTarget: {value}}) => set({current: value})}
      />
      <TextField
        label={text('index.profilePasswordNew')}
        type="password"
        autoComplete="new-password"
        value={password.next}
        readOnly={isSending}
        help={text('index.profilePasswordShort', {least})}
        error={fault === undefined || fault === 'different' ? undefined : faultText(text, fault)}
        onChange={({currentTarget: {value}}) => set({next: value})}
      />
      <TextField
        label={text('index.profilePasswordRepeat')}
        type="password"
        autoComplete="new-password"
        value={password.repeated}
        readOnly={isSending}
        error={fault === 'different' ? faultText(text, fault) : undefined}
        onChange={({currentTarget: {value}}) => set({repeated: value})}
      />
      <p className={styles.meta}>{text('index.profilePasswordHelp')}</p>
      {refusal !== undefined && refusal.field !== 'current_password' && <Problem>{refusalText(text, refusal)}</Problem>}
      <div className={styles.actions}>
        <Button disabled={isSending} onClick={() => send({type: 'call.close'})}>
          {text('common.cancel')}
        </Button>
        <Button type="submit" variant="primary" loading={isSending} disabled={!isSending && !isNewPassword(password)}>
          {text('index.profilePasswordChange')}
        </Button>
      </div>
    </form>
  )
}

function faultText(text: Text, fault: PasswordFault): string {
  switch (fault) {
    case 'short':
      return text('index.profilePasswordShort', {least: passwordLengths.shortest})
    case 'long':
      return text('site.tooLong')
    case 'same':
      return text('index.profilePasswordSame')
    case 'different':
      return text('index.profilePasswordDifferent')
  }
}
