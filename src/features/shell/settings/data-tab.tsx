import {useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './settings.module.css'

type DataTabProps = {
  /** Leads to the profile, where the account is exported and deleted; undefined where the server offers neither. */
  profileLink: ReactNode
  /** Opens the import of conversations; undefined where the server takes none. */
  onImport: (() => void) | undefined
  /** Saves all conversations as a file. */
  exportButton: ReactNode
  /** Rejects when something stays. */
  onClear: () => Promise<void>
}

/** What the server and this browser store of the user. */
export function DataTab({profileLink, onImport, exportButton, onClear}: DataTabProps) {
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
      <section className={styles.section}>
        <h3 className={styles.title}>{text('index.settingDevice')}</h3>
        <p className={styles.help}>{text('index.settingDeviceHelp')}</p>
        <ClearDevice onClear={onClear} />
      </section>
    </>
  )
}

function ClearDevice({onClear}: Pick<DataTabProps, 'onClear'>) {
  const text = useText()
  const [step, setStep] = useState<'offered' | 'asked' | 'clearing' | 'failed'>('offered')
  const clear = () => {
    setStep('clearing')
    onClear().catch(() => setStep('failed'))
  }
  if (step === 'offered') return <Button onClick={() => setStep('asked')}>{text('index.settingDeviceClear')}</Button>
  return (
    <div role="alert" className={styles.question}>
      <p>{text(step === 'failed' ? 'index.settingDeviceFailed' : 'index.settingDeviceConfirm')}</p>
      <div className={styles.buttons}>
        <Button variant="danger" autoFocus disabled={step === 'clearing'} onClick={clear}>
          {text('index.settingDeviceClear')}
        </Button>
        <Button variant="ghost" disabled={step === 'clearing'} onClick={() => setStep('offered')}>
          {text('common.cancel')}
        </Button>
      </div>
    </div>
  )
}
