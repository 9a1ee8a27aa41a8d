import type {ReactNode} from 'react'
import {selectRefusal, type CallHandle} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {useText} from '#ui/text.tsx'
import styles from './settings.module.css'

type DataTabProps = {
  /** Leads to the profile, where the account is exported and deleted; undefined where the server offers neither. */
  profileLink: ReactNode
  /** Opens the import of conversations; undefined where the server takes none. */
  onImport: (() => void) | undefined
  /** Saves all conversations as a file. */
  exportButton: ReactNode
  /** The links that the user made to copies; undefined where the server makes none. */
  shares: ReactNode
  /** Removes what this browser keeps; refused when something stays. */
  clearing: CallHandle
}

/** Says what the server and this browser store of the user, with the commands for it. */
export function DataTab({profileLink, onImport, exportButton, shares, clearing}: DataTabProps) {
  const text = useText()
  return (
    <>
      {profileLink !== undefined && (
        <section className={styles.section}>
          <h3 className={styles.title}>{text('index.settingAccount')}</h3>
          <p className={styles.help}>{text('index.settingAccountHelp')}</p>
          {profileLink}
        </section>
      )}
      {(onImport !== undefined || exportButton !== undefined) && (
        <section className={styles.section}>
          <h3 className={styles.title}>{text('chat.conversations')}</h3>
          {onImport !== undefined && <p className={styles.help}>{text('index.settingImportHelp')}</p>}
          <div className={styles.buttons}>
            {onImport !== undefined && <Button onClick={onImport}>{text('index.settingImport')}</Button>}
            {exportButton}
          </div>
        </section>
      )}
      {shares !== undefined && (
        <section className={classNames(styles.section, styles.wide)}>
          <h3 className={styles.title}>{text('index.commandSharedLinks')}</h3>
          {shares}
        </section>
      )}
      <section className={styles.section}>
        <h3 className={styles.title}>{text('index.settingDevice')}</h3>
        <p className={styles.help}>{text('index.settingDeviceHelp')}</p>
        <ClearDevice {...clearing} />
      </section>
    </>
  )
}

function ClearDevice({snapshot, send}: CallHandle) {
  const text = useText()
  const isClearing = snapshot.matches('sending')
  if (snapshot.matches('idle'))
    return <Button onClick={() => send({type: 'call.open'})}>{text('index.settingDeviceClear')}</Button>
  return (
    <div role="alert" className={styles.question}>
      <p>{text(selectRefusal(snapshot) !== undefined ? 'index.settingDeviceFailed' : 'index.settingDeviceConfirm')}</p>
      <div className={styles.buttons}>
        <Button variant="danger" autoFocus disabled={isClearing} onClick={() => send({type: 'call.send'})}>
          {text('index.settingDeviceClear')}
        </Button>
        <Button variant="ghost" disabled={isClearing} onClick={() => send({type: 'call.close'})}>
          {text('common.cancel')}
        </Button>
      </div>
    </div>
  )
}
