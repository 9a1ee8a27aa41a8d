import {failureText} from '#domain/failure.ts'
import {type SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectCanSave, selectFailure, selectIsChanged, selectIsStale} from '#machines/site-form/site-form.selectors.ts'
import {type SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './site-form.module.css'

type SaveBarProps = {snapshot: SiteFormSnapshot; send: (event: SiteFormEvent) => void}

/** At the bottom of a changed or saved form: the result of saving, Save and Discard, Undo. */
export function SaveBar({snapshot, send}: SaveBarProps) {
  const text = useText()
  const failure = selectFailure(snapshot)
  const isStale = selectIsStale(snapshot)
  if (snapshot.matches({open: {editing: 'saved'}})) {
    return (
      <div className={styles.bar}>
        <p role="status" className={styles.said}>
          {text('site.saved')}
        </p>
        <Button variant="ghost" onClick={() => send({type: 'save.undo'})}>
          {text('common.undo')}
        </Button>
      </div>
    )
  }
  if (!selectIsChanged(snapshot) && failure === undefined && !snapshot.hasTag('saving')) return null
  return (
    <div className={styles.bar}>
      {failure === undefined ? (
        <p className={styles.said}>{text('site.unsaved')}</p>
      ) : (
        <div role="alert" className={styles.said}>
          <p>{text(isStale ? 'site.stale' : 'site.saveFailed')}</p>
          <p className={styles.detail} dir="ltr">
            {failureText(failure)}
          </p>
        </div>
      )}
      {isStale ? (
        <Button onClick={() => send({type: 'form.load'})}>{text('site.loadAgain')}</Button>
      ) : (
        <>
          <Button variant="ghost" disabled={snapshot.hasTag('saving')} onClick={() => send({type: 'draft.discard'})}>
            {text('site.discard')}
          </Button>
          <Button
            type="submit"
            variant="primary"
            loading={snapshot.hasTag('saving')}
            disabled={!snapshot.hasTag('saving') && !selectCanSave(snapshot)}
          >
            {text('site.save')}
          </Button>
        </>
      )}
    </div>
  )
}
