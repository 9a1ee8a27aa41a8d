import type {ApiKey} from '#domain/api-key.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {selectKeyState, type ApiKeysEvent, type ApiKeysSnapshot} from '#machines/api-keys/api-keys.machine.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {HideIcon, RevealIcon} from '#ui/key-icons.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import styles from './key-token.module.css'

export type KeyActions = {
  snapshot: ApiKeysSnapshot
  send: (event: ApiKeysEvent) => void
  /** Copies the token of a key, shown or not. */
  copyKey: (id: string) => Promise<void>
}

type KeyTokenProps = KeyActions & {apiKey: Pick<ApiKey, 'id' | 'masked'>; name: string}

/** An API key: masked, shown when asked for, copied in both forms. */
export function KeyToken({apiKey: {id, masked}, name, snapshot, send, copyKey}: KeyTokenProps) {
  const text = useText()
  const state = selectKeyState(snapshot, id)
  const {revealed, revealFailure} = snapshot.context
  const isShown = state === 'shown'
  return (
    <span className={styles.key}>
      <span className={styles.line}>
        <MaskedToken masked={isShown ? revealed?.token : masked} isShown={isShown} />
        <IconButton
          size="sm"
          label={text(isShown ? 'credential.hideOf' : 'credential.revealOf', {name})}
          aria-busy={state === 'reading'}
          icon={state === 'reading' ? <Spinner size={14} /> : isShown ? <HideIcon /> : <RevealIcon />}
          onClick={() => send(isShown || state === 'reading' ? {type: 'key.hide'} : {type: 'key.reveal', id})}
        />
        <CopyButton value={() => id} write={copyKey} label={text('credential.copyOf', {name})} />
      </span>
      {isShown && <span className={styles.fine}>{text('credential.hidesItself')}</span>}
      {state === 'failed' && revealFailure !== undefined && (
        <span className={styles.problem} role="alert">
          {text('credential.revealFailed')} {text(accountErrorTextId(revealFailure))}
        </span>
      )}
    </span>
  )
}

export function MaskedToken({masked, isShown = false}: {masked: string | undefined; isShown?: boolean}) {
  return (
    <code dir="ltr" className={styles.token} data-shown={isShown || undefined}>
      {masked ?? '••••••••'}
    </code>
  )
}
