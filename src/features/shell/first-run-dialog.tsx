import {useId, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import styles from './first-run-dialog.module.css'

type FirstRunDialogProps = {
  open: boolean
  siteTitle: string
  /** `{platform}/terms` */
  termsLink: string
  applying: boolean
  /** Failure code of the last attempt. */
  failure: string | undefined
  onStart: () => void
  /** To look around first. */
  onClose: () => void
}

/**
 * Shown to a user without a general application (contract/screens §2): the terms, then the application with its
 * credits.
 */
export function FirstRunDialog(props: FirstRunDialogProps) {
  const {open, siteTitle, termsLink, applying, failure, onStart, onClose} = props
  const text = useText()
  const language = useLanguage()
  const id = useId()
  const [hasAgreed, setHasAgreed] = useState(true)
  const [isRefused, setIsRefused] = useState(false)

  const start = () => {
    setIsRefused(!hasAgreed)
    if (hasAgreed) onStart()
  }
  const problem = isRefused
    ? text('application.startUnchecked')
    : failure !== undefined && !applying
      ? text('application.startFailed', {code: failure})
      : undefined
  return (
    <Dialog
      open={open}
      title={text('application.startTitle', {site: siteTitle})}
      width={500}
      onClose={onClose}
      description={text('application.startText')}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {text('application.startLater')}
          </Button>
          <Button variant="primary" loading={applying} onClick={start}>
            {text('application.startGo')}
          </Button>
        </>
      }
    >
      <div className={styles.terms}>
        <input
          id={id}
          type="checkbox"
          className={styles.box}
          checked={hasAgreed}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => {
            setHasAgreed(event.currentTarget.checked)
            setIsRefused(false)
          }}
        />
        <label htmlFor={id}>
          {language.format('application.startAgree', {
            link: (chunks) => (
              <a key="terms" className={styles.link} href={termsLink} target="_blank" rel="noopener noreferrer">
                {chunks}
              </a>
            ),
          })}
        </label>
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
