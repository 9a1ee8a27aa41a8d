import {defaultDetail} from '#domain/error-kinds.ts'
import {errorTextId, isRefusal, type Failure} from '#domain/failure.ts'
import {type SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectCanSave, selectFailure, selectIsChanged, selectIsMerged} from '#machines/site-form/site-form.selectors.ts'
import {type SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {Button} from '#ui/button.tsx'
import {AlertIcon} from '#ui/icons.tsx'
import {useText, type Text} from '#ui/text.tsx'
import styles from './site-form.module.css'

type SaveBarProps = {snapshot: SiteFormSnapshot; send: (event: SiteFormEvent) => void}

/** At the bottom of a changed or saved form: the result of saving, Save and Discard, Undo. */
export function SaveBar({snapshot, send}: SaveBarProps) {
  const text = useText()
  const failure = selectFailure(snapshot)
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
      {failure !== undefined ? (
        <p role="alert" className={styles.said}>
          <AlertIcon size={16} />
          <span>
            {text('site.saveFailed')} <bdi>{reasonOf(text, failure)}</bdi>
          </span>
        </p>
      ) : selectIsMerged(snapshot) ? (
        <p role="alert" className={styles.said} data-tone="warning">
          <AlertIcon size={16} />
          <span>{text('site.stale')}</span>
        </p>
      ) : (
        <p className={styles.said}>{text('site.unsaved')}</p>
      )}
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
    </div>
  )
}

/** The server's words for a refusal, in the user's language. Most sentences of codes are about questions. */
function reasonOf(text: Text, failure: Failure): string | undefined {
  if (isRefusal(failure) && failure.detail !== defaultDetail) return failure.detail
  return failure.code === 'busy' || failure.code === 'too_many_requests' ? text(errorTextId(failure)) : undefined
}
