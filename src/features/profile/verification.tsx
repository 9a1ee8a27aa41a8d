import {useState} from 'react'
import {isolated} from '#domain/isolated-text.ts'
import {selectRefusal, type CallHandle} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import {refusalText} from './refusal-text.ts'
import {useRefusedValue} from './use-refused-value.ts'
import styles from './profile-page.module.css'

/** Confirms the user's address with the code that the operator of the installation passes on. */
export function VerifyButton({email, snapshot, send}: CallHandle & {email: string}) {
  const text = useText()
  return (
    <>
      <Button size="sm" onClick={() => send({type: 'call.open'})}>
        {text('index.profileVerify')}
      </Button>
      <Dialog
        open={snapshot.matches('open') || snapshot.matches('sending')}
        title={text('index.profileVerifyTitle')}
        description={text('index.profileVerifyHelp', {email: isolated(email)})}
        width={420}
        onClose={() => send({type: 'call.close'})}
      >
        <CodeForm snapshot={snapshot} send={send} />
      </Dialog>
    </>
  )
}

function CodeForm({snapshot, send}: CallHandle) {
  const text = useText()
  const [code, setCode] = useState('')
  const isSending = snapshot.matches('sending')
  const refusal = selectRefusal(snapshot)
  const message = text('index.profileVerifyWrong')
  const wrong = useRefusedValue({refusal, field: 'code', value: code, message})
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() === '') return
        send({type: 'call.send', values: {code: code.trim()}})
      }}
    >
      <TextField
        label={text('index.profileVerifyCode')}
        dir="ltr"
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        readOnly={isSending}
        {...wrong}
        onChange={({currentTarget: {value}}) => setCode(value)}
      />
      {refusal !== undefined && refusal.field !== 'code' && <Problem>{refusalText(text, refusal)}</Problem>}
      <div className={styles.actions}>
        <Button onClick={() => send({type: 'call.close'})}>{text('common.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isSending} disabled={!isSending && code.trim() === ''}>
          {text('index.profileVerify')}
        </Button>
      </div>
    </form>
  )
}
