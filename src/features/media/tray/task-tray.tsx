import type {ReactNode} from 'react'
import type {CardState} from '#machines/task-list/task-list.selectors.ts'
import {CountText} from '#ui/count-text.tsx'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {AlertIcon, CheckIcon, InfoIcon, OfflineIcon} from '#ui/icons.tsx'
import {ClockIcon} from '#ui/later-icons.tsx'
import {PageLink} from '#ui/page-link.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {ResultImage} from '../feed/result-image.tsx'
import {Elapsed} from '../feed/elapsed.tsx'
import {Still} from '../feed/still-image.tsx'
import styles from './task-tray.module.css'

/** A line of the tray: something of a tool, or an answer of a chat. */
export type TrayLine = {
  key: string
  /** Name of the tool or chat. */
  tool: string
  prompt: string
  state: CardState
  progress?: number | undefined
  /** Unix seconds of the server's clock. */
  at: number
  id?: string | undefined
  traceId?: string | undefined
  preview?: {medium: 'image' | 'video'; url: string} | undefined
  href: string
  /** Sends what failed or is unsure again. */
  onRetry?: (() => void) | undefined
  /** Asks the server for what is lost or gone. */
  onCheck?: (() => void) | undefined
}

type TaskTrayProps = {
  active: readonly TrayLine[]
  /** The last ones that came to their end, newest first. */
  recent: readonly TrayLine[]
  /** The tasks are not known yet. */
  isLoading?: boolean
  now: () => number
  /** Goes to an address within the page. */
  onGo: (href: string) => void
}

const stateText: Record<TrayLine['state'], MessageId> = {
  sending: 'common.mediaSending',
  offline: 'common.mediaOffline',
  looking: 'common.mediaLooking',
  unsure: 'common.mediaUnsure',
  rejected: 'common.mediaRejected',
  usedUp: 'common.mediaUsedUp',
  queued: 'common.mediaQueued',
  running: 'common.mediaRunning',
  checking: 'common.mediaChecking',
  succeeded: 'common.mediaDone',
  failed: 'common.mediaFailed',
  gone: 'common.mediaGone',
  lost: 'common.mediaLost',
}

/** Everything that runs or waits for the user, over all tools and chats, and what ended last (design.md §10). */
export function TaskTray({active, recent, isLoading = false, now, onGo}: TaskTrayProps) {
  const text = useText()
  if (isLoading && active.length + recent.length === 0)
    return <Skeleton inlineSize="min(352px, 80vw)" blockSize={120} />
  if (active.length + recent.length === 0) return <EmptyState title={text('common.mediaTrayEmpty')} />
  return (
    <div className={styles.tray}>
      <Section title={text('common.mediaInProgress')} lines={active} now={now} onGo={onGo} />
      <Section title={text('common.mediaRecent')} lines={recent} now={now} onGo={onGo} />
    </div>
  )
}

type SectionProps = {title: string; lines: readonly TrayLine[]} & Pick<TaskTrayProps, 'now' | 'onGo'>

function Section({title, lines, now, onGo}: SectionProps) {
  if (lines.length === 0) return null
  return (
    <section>
      <h2 className={styles.title}>
        {title}
        <CountText value={lines.length} />
      </h2>
      <ul>
        {lines.map((line) => (
          <Line key={line.key} line={line} now={now} onGo={onGo} />
        ))}
      </ul>
    </section>
  )
}

const busy: readonly TrayLine['state'][] = ['sending', 'looking', 'queued', 'running', 'checking']

function Line({line, now, onGo}: {line: TrayLine} & Pick<TaskTrayProps, 'now' | 'onGo'>) {
  const text = useText()
  const isBusy = busy.includes(line.state)
  const way = {href: line.href, onFollow: () => onGo(line.href)}
  return (
    <li className={styles.line} data-state={line.state}>
      <span className={styles.thumb}>
        {line.preview === undefined ? stateIcon(line) : <Preview {...line.preview} />}
      </span>
      <PageLink className={styles.words} {...way}>
        <b dir="auto">{line.prompt === '' ? text('common.mediaUntitled') : line.prompt}</b>
        <small>
          {line.tool} · {text(stateText[line.state])}
          {line.progress !== undefined && isBusy && (
            <>
              {' '}
              <bdi dir="ltr">{Math.round(line.progress)}%</bdi>
            </>
          )}
        </small>
      </PageLink>
      <span className={styles.end}>
        {isBusy && <Elapsed since={line.at} now={now} />}
        {line.onRetry !== undefined && (
          <Button size="sm" onClick={line.onRetry}>
            {text('common.mediaTryAgain')}
          </Button>
        )}
        {line.onCheck !== undefined && (
          <Button size="sm" onClick={line.onCheck}>
            {text('common.mediaCheckNow')}
          </Button>
        )}
        {(line.state === 'succeeded' || line.state === 'failed') && (
          <PageLink className={buttonClass('outline', 'sm')} {...way}>
            {text('common.mediaOpen')}
          </PageLink>
        )}
        {line.id !== undefined && (
          <CopyButton
            label={text('common.mediaCopyIds')}
            value={() => [line.id, line.traceId].filter((id) => id !== undefined).join('\n')}
          />
        )}
      </span>
    </li>
  )
}

function Preview({medium, url}: NonNullable<TrayLine['preview']>) {
  return medium === 'image' ? <ResultImage url={url} alt="" /> : <Still url={url} />
}

function stateIcon({state}: TrayLine): ReactNode {
  switch (state) {
    case 'sending':
    case 'looking':
    case 'running':
      return <Spinner size={16} />
    case 'offline':
      return <OfflineIcon />
    case 'queued':
      return <ClockIcon />
    case 'succeeded':
      return <CheckIcon />
    case 'failed':
    case 'rejected':
    case 'usedUp':
      return <AlertIcon />
    default:
      return <InfoIcon />
  }
}
