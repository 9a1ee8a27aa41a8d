import {useId, useState, type ReactNode} from 'react'
import type {ShareLink} from '#contract/shares.ts'
import {formatDateTime} from '#domain/date-time.ts'
import type {Failure} from '#domain/failure.ts'
import type {ShareLinks} from '#machines/share-links/share-links.machine.ts'
import {buttonClass} from '#ui/button-class.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {Problem} from '#ui/problem.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import surface from '#ui/surface.module.css'
import {useText, type Text} from '#ui/text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import styles from './share.module.css'

/**
 * The server explains a conflict, in the language of the request. Most sentences of codes are about models and
 * questions, and no model has to do with a link.
 */
const refusalText = (text: Text, {status, detail, code}: Failure): string => {
  if (status === 409 && detail !== '') return detail
  return text(code === 'busy' || code === 'too_many_requests' ? `api.${code}` : 'share.changeFailed')
}

type ShareListProps = ShareLinks & {
  label: string
  /** Address of a link for readers. */
  addressOf: (id: string) => string
  /** Each link is shown with the title of its conversation. */
  titled?: boolean
  /** Whether an updated link shows the attachments; where nothing says so, as before. */
  attachments?: boolean
}

type LoadedLinksProps = ShareLinks & {
  /** Says instead of the list that there are no links. */
  none?: string
  children: ReactNode
}

/** The list of links once it is read, and what became of one; before that, or if it cannot be read, the view says so. */
export function LoadedLinks(props: LoadedLinksProps) {
  return (
    <>
      <Links {...props} />
      <Changed snapshot={props.snapshot} />
    </>
  )
}

const changes = ['made', 'renewed', 'revoked', 'gone'] as const

/** Says what the last change did. The buttons of a link that left the list are gone, with the focus that one had. */
function Changed({snapshot}: Pick<ShareLinks, 'snapshot'>) {
  const text = useText()
  const change = changes.find((each) => snapshot.matches({resting: each}))
  const isTakenOut = change === 'revoked' || change === 'gone'
  return (
    <p className={styles.status} role="status" tabIndex={-1} ref={isTakenOut ? takeLostFocus : undefined}>
      {change !== undefined && text(`share.${change}`)}
    </p>
  )
}

function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus()
}

function Links({snapshot, send, none, children}: LoadedLinksProps) {
  const text = useText()
  if (snapshot.matches('loading')) return <Skeleton blockSize={60} />
  if (snapshot.matches('failed'))
    return <Problem onRetry={() => send({type: 'links.load'})}>{text('share.loadFailed')}</Problem>
  if (snapshot.context.links.length > 0 || snapshot.context.failure !== undefined) return children
  return none === undefined ? null : <p className={styles.text}>{none}</p>
}

/** Links to copies of conversations: each is copied, opened, brought up to date and revoked. */
export function ShareList({snapshot, send, label, addressOf, titled = false, attachments}: ShareListProps) {
  const text = useText()
  const {links, failure} = snapshot.context
  return (
    <>
      {snapshot.matches('resting') && failure !== undefined && <Problem>{refusalText(text, failure)}</Problem>}
      {links.length > 0 && (
        <ul className={classNames(surface.surface, styles.list)} aria-label={label}>
          {links.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              address={addressOf(link.id)}
              name={titled ? link.title || text('chat.untitled') : undefined}
              attachments={attachments}
              snapshot={snapshot}
              send={send}
            />
          ))}
        </ul>
      )}
    </>
  )
}

type LinkRowProps = ShareLinks & {
  link: ShareLink
  address: string
  name: string | undefined
  attachments: boolean | undefined
}

function LinkRow({link, address, name, attachments, snapshot, send}: LinkRowProps) {
  const text = useText()
  const id = useId()
  // a server that has not been updated yet does not say whether there are files
  const hasFiles = link.files ?? true
  const mayShowFiles = link.attachments && hasFiles
  // they may be gone since, and no update brings them back
  const showsFiles = link.shows_files ?? mayShowFiles
  const isChanged = attachments === true ? !mayShowFiles : showsFiles
  const note = attachments === undefined || !isChanged ? undefined : id
  const [question, setQuestion] = useState<'none' | 'asked' | 'cancelled'>('none')
  return (
    <li className={styles.link}>
      {name !== undefined && (
        <p className={styles.name} dir="auto">
          {name}
        </p>
      )}
      <p className={styles.address} dir="ltr">
        {address}
      </p>
      <p className={styles.meta}>
        {text('share.asOf')} <TimeText value={link.updated_at} format={formatDateTime} />
        {hasFiles && ` · ${text(showsFiles ? 'share.withAttachments' : 'share.withoutAttachments')}`}
      </p>
      {note !== undefined && (
        <p id={note} className={styles.meta}>
          {text(attachments ? 'share.renewShows' : 'share.renewHides')}
        </p>
      )}
      {question === 'asked' ? (
        <RevokeQuestion link={link} snapshot={snapshot} send={send} onEnd={() => setQuestion('cancelled')} />
      ) : (
        <LinkActions
          id={link.id}
          address={address}
          attachments={attachments ?? link.attachments}
          note={note}
          snapshot={snapshot}
          send={send}
          isCancelled={question === 'cancelled'}
          onRevoke={() => setQuestion('asked')}
        />
      )}
    </li>
  )
}

type RevokeQuestionProps = ShareLinks & {link: ShareLink; onEnd: () => void}

/** Asks before a link is revoked: readers who have it would find nothing. */
function RevokeQuestion({link: {id}, snapshot, send, onEnd}: RevokeQuestionProps) {
  const text = useText()
  const isSubject = snapshot.context.subject === id
  return (
    <div
      className={styles.actions}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onEnd()
      }}
    >
      <span className={styles.question} role="alert">
        {text('share.revokeQuestion')}
      </span>
      <Button
        size="sm"
        variant="danger"
        autoFocus
        loading={isSubject && snapshot.matches('revoking')}
        disabled={snapshot.hasTag('changing') && !isSubject}
        onClick={() => send({type: 'link.revoke', id})}
      >
        {text('share.revoke')}
      </Button>
      <Button size="sm" variant="ghost" onClick={onEnd}>
        {text('common.cancel')}
      </Button>
    </div>
  )
}

type LinkActionsProps = ShareLinks & {
  id: string
  address: string
  attachments: boolean
  /** Id of the words that say what an update changes beside the text. */
  note: string | undefined
  /** The question before a revocation has just been cancelled: the focus comes back to what asked it. */
  isCancelled: boolean
  onRevoke: () => void
}

function LinkActions({id, address, attachments, note, snapshot, send, isCancelled, onRevoke}: LinkActionsProps) {
  const text = useText()
  const isSubject = snapshot.context.subject === id
  const isChanging = snapshot.hasTag('changing')
  // all stand in one row of a phone, in long words too
  const isNarrow = useMediaQuery(phone)
  return (
    <div className={styles.actions}>
      <span className={styles.pair}>
        <CopyButton
          label={text('share.copy')}
          labelled={!isNarrow}
          look={{variant: 'outline', size: 'sm'}}
          value={() => address}
        />
        <a className={buttonClass('ghost', 'sm')} href={address} target="_blank" rel="noopener noreferrer">
          {text('share.open')}
        </a>
      </span>
      <span className={styles.pair}>
        <Button
          size="sm"
          variant="ghost"
          loading={isSubject && snapshot.matches('renewing')}
          disabled={isChanging && !isSubject}
          aria-describedby={note}
          onClick={() => send({type: 'link.renew', id, attachments})}
        >
          {text('share.renew')}
        </Button>
        <Button size="sm" variant="ghost" autoFocus={isCancelled} disabled={isChanging} onClick={onRevoke}>
          {text('share.revoke')}
        </Button>
      </span>
    </div>
  )
}
