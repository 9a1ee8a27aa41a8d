import {isStalled} from '#domain/poll-rules.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {AlertIcon, InfoIcon, OfflineIcon, RetryIcon} from '#ui/icons.tsx'
import {EditIcon, SearchIcon} from '#ui/later-icons.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {AddCreditsLink, type AddCredits} from '../add-credits-link.tsx'
import {safeUrl} from '../media-url.ts'
import {ProgressBar} from '../progress-bar.tsx'
import {useTick} from '../use-tick.ts'
import type {Card, CardState} from '#machines/task-list/task-list.selectors.ts'
import {Elapsed} from './elapsed.tsx'
import {reasonOf, refundText, useMissingText} from './failure-text.ts'
import {stateText} from './state-text.ts'
import {CopyDetails, Ids} from './task-ids.tsx'
import styles from './task-well.module.css'

/** The commands for a task that has no result. Each exit of each state is here (docs/architecture.md §2). */
export type WellCommands = {
  /** The same again: a new task with the same settings. */
  retry: (card: Card) => void
  /** The settings into the form, to change them first. */
  edit: (card: Card) => void
  /** Asks the server for it now. */
  check: (card: Card) => void
  /** The same request with the same key: it becomes one task however often it is sent. */
  sendAgain: (card: Card) => void
  discard: (card: Card) => void
  remove: (card: Card) => void
  /** To where credits for it are bought. */
  addCredits: (card: Card) => AddCredits
  /** Unix seconds of the server's clock. */
  now: () => number
}

export type WellProps = {card: Card; commands: WellCommands}

/** A task without a result: on its way, failed, or not to be found. */
export function TaskWell({card, commands}: WellProps) {
  switch (card.state) {
    case 'failed':
    case 'rejected':
    case 'usedUp':
      return <FailedWell card={card} commands={commands} />
    case 'unsure':
    case 'gone':
    case 'lost':
      return <DoubtfulWell card={card} commands={commands} />
    case 'offline':
      return <OfflineWell card={card} commands={commands} />
    default:
      return <BusyWell card={card} commands={commands} />
  }
}

const startKeys = ['start_image_url', 'first_image_url', 'image_url', 'image_urls'] as const

/** The image a task starts from, shown blurred while it runs. */
function startImage(request: Record<string, unknown>): string | undefined {
  for (const key of startKeys) {
    const value = request[key]
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string') return safeUrl(first)
  }
  return undefined
}

function BusyWell({card, commands}: WellProps) {
  const text = useText()
  const image = card.state === 'running' ? startImage(card.request) : undefined
  const label = text(stateText[card.state])
  const {progress} = card.reading
  const isRunning = card.state === 'running'
  return (
    <div className={classNames(styles.well, styles[isRunning ? 'run' : 'wait'])} data-state={card.state}>
      {image !== undefined && <img className={styles.start} src={image} alt="" decoding="async" />}
      {isRunning && <span className={styles.veil} />}
      {isRunning ? (
        <div className={styles.stat} data-plain={image === undefined || undefined}>
          <div className={styles.line}>
            <span>{label}</span>
            <Elapsed since={card.at} now={commands.now} />
          </div>
          <ProgressBar label={label} progress={progress} />
          <SlowNote card={card} commands={commands} />
        </div>
      ) : (
        <div className={styles.middle}>
          <span className={styles.ring} />
          <span>{label}</span>
          <small>
            <Elapsed
              since={card.at}
              now={commands.now}
              message={card.state === 'queued' ? 'common.mediaInQueue' : undefined}
            />
          </small>
          <SlowNote card={card} commands={commands} />
        </div>
      )}
    </div>
  )
}

/** Nothing happens to the request, so no time is counted. A browser may be wrong about the network. */
function OfflineWell({card, commands}: WellProps) {
  const text = useText()
  return (
    <div className={classNames(styles.well, styles.wait)} data-state={card.state}>
      <div className={styles.middle}>
        <OfflineIcon size={20} />
        <span>{text(stateText.offline)}</span>
        <span className={styles.slow}>
          <Button size="sm" icon={<RetryIcon size={14} />} onClick={() => commands.sendAgain(card)}>
            {text('common.mediaTryAgain')}
          </Button>
        </span>
      </div>
    </div>
  )
}

/** Says so when a task takes longer than tasks do; the server can be asked at once (design.md §10). */
function SlowNote({card, commands}: WellProps) {
  useTick()
  const text = useText()
  if (card.id === undefined || (card.state !== 'checking' && !isStalled(card.at, commands.now()))) return null
  return (
    <span className={styles.slow}>
      {card.state !== 'checking' && text('common.mediaStalled')}
      <Button size="sm" icon={<RetryIcon size={14} />} onClick={() => commands.check(card)}>
        {text('common.mediaCheckNow')}
      </Button>
    </span>
  )
}

function FailedWell({card, commands}: WellProps) {
  const text = useText()
  const {failure, state} = card
  const reason = state === 'usedUp' ? undefined : reasonOf(failure)
  const refund = refundText(text, card)
  const missing = useMissingText(card)
  return (
    <div className={classNames(styles.well, styles.fail)} data-state={state}>
      <div className={styles.said}>
        <p className={styles.title}>
          <AlertIcon />
          {text(stateText[state])}
        </p>
        {reason !== undefined && <p dir="auto">{'said' in reason ? reason.said : text(reason.textId)}</p>}
        {missing !== undefined && <p>{missing}</p>}
        {refund !== undefined && <p>{refund}</p>}
        <Ids card={card} />
      </div>
      <div className={styles.buttons}>
        {state === 'usedUp' && <AddCreditsLink size="sm" {...commands.addCredits(card)} />}
        <Button
          size="sm"
          icon={<RetryIcon size={14} />}
          onClick={() => (state === 'failed' ? commands.retry(card) : commands.sendAgain(card))}
        >
          {text('common.mediaTryAgain')}
        </Button>
        <Button size="sm" icon={<EditIcon size={14} />} onClick={() => commands.edit(card)}>
          {text('common.mediaEdit')}
        </Button>
        {state !== 'failed' && (
          <Button size="sm" variant="ghost" onClick={() => commands.discard(card)}>
            {text('common.mediaDiscard')}
          </Button>
        )}
        <span className={styles.grow} />
        <CopyDetails card={card} />
      </div>
    </div>
  )
}

/** Over the sentence of the state. */
const doubtTitle = {
  unsure: 'common.mediaUnsure',
  gone: 'common.mediaGone',
  lost: 'common.mediaLost',
} as const satisfies Partial<Record<CardState, MessageId>>

function DoubtfulWell({card, commands}: WellProps) {
  const text = useText()
  // as: only these three states come here
  const state = card.state as keyof typeof doubtTitle
  return (
    <div className={classNames(styles.well, styles.doubt)} data-state={state}>
      <div className={styles.said}>
        <p className={styles.title}>
          <InfoIcon />
          {text(doubtTitle[state])}
        </p>
        <p>{text(stateText[state])}</p>
        <Ids card={card} />
      </div>
      <div className={styles.buttons}>
        {state === 'unsure' ? (
          <>
            <Button size="sm" icon={<RetryIcon size={14} />} onClick={() => commands.sendAgain(card)}>
              {text('common.mediaSendAgain')}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => commands.discard(card)}>
              {text('common.mediaDiscard')}
            </Button>
          </>
        ) : (
          <>
            <Button size="sm" icon={<SearchIcon size={14} />} onClick={() => commands.check(card)}>
              {text('common.mediaCheckNow')}
            </Button>
            {state === 'gone' && (
              <Button size="sm" variant="ghost" onClick={() => commands.remove(card)}>
                {text('common.mediaDiscard')}
              </Button>
            )}
          </>
        )}
        <span className={styles.grow} />
        <CopyDetails card={card} />
      </div>
    </div>
  )
}
