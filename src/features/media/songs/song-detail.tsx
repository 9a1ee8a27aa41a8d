import {formatDateTime} from '#domain/date-time.ts'
import type {Artifact} from '#contract/media/media-tool.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {ResultImage} from '../feed/result-image.tsx'
import {ActionNote} from '../action-note.tsx'
import type {ActionGroup, OfferedAction} from '../result-actions.ts'
import {UseTargets, type UseTargetsProps} from '../use-targets.tsx'
import type {ToolText} from '../use-tool-text.ts'
import styles from './song-detail.module.css'

/** Headings of a lyric such as `[Verse]`. */
const isHeading = (line: string) => /^\s*\[[^\]]+\]\s*$/.test(line)

/** A lyric with its headings set apart. */
export function Lyric({text}: {text: string}) {
  return (
    <p className={styles.lyric} dir="auto">
      {text.split('\n').map((line, position) => (
        <span key={position} className={isHeading(line) ? styles.lyricHeading : undefined}>
          {line}
          {'\n'}
        </span>
      ))}
    </p>
  )
}

const styleWords = (style: string | undefined) =>
  (style ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

type SongDetailProps = UseTargetsProps & {
  card: Card
  artifact: Artifact
  title: string
  toolText: ToolText
  groups: readonly ActionGroup[]
  costOf: (action: OfferedAction) => number | undefined
  isUsed: (action: OfferedAction) => boolean
  onAction: (action: OfferedAction) => void
}

/** One song: cover, style, lyric, what can be done with it, ids. */
export function SongDetail(props: SongDetailProps) {
  const {card, artifact, title, toolText, groups, targets, costOf, isUsed, onAction} = props
  const text = useText()
  const actions = groups.flatMap((group) => group.actions)
  return (
    <>
      {artifact.previewUrl !== undefined && (
        <div className={styles.big}>
          <ResultImage url={artifact.previewUrl} alt="" />
        </div>
      )}
      <div className={styles.body}>
        <h2 dir="auto">{title}</h2>
        <ul className={styles.words} aria-label={text('common.mediaStyle')}>
          {styleWords(artifact.style).map((word, position) => (
            <li key={position} dir="auto">
              {word}
            </li>
          ))}
        </ul>
        {artifact.text !== undefined && artifact.text !== '' && (
          <>
            <div className={styles.lyricHead}>
              <h3>{text('common.mediaLyrics')}</h3>
              <CopyButton value={() => artifact.text ?? ''} />
            </div>
            <Lyric text={artifact.text} />
          </>
        )}
        {actions.length > 0 && (
          <section className={styles.actions}>
            <h3>{text('common.mediaActions')}</h3>
            {actions.map((action) => (
              <button key={action.action.id} type="button" onClick={() => onAction(action)}>
                {toolText(action.action.label)}
                <ActionNote cost={costOf(action)} isUsed={isUsed(action)} />
              </button>
            ))}
          </section>
        )}
        {targets.length > 0 && (
          <section className={styles.actions}>
            <h3>{text('common.mediaUseIn')}</h3>
            <UseTargets Heading="h4" {...props} />
          </section>
        )}
        <p className={styles.fine}>
          <TimeText value={card.at * 1_000} format={formatDateTime} />
          {card.isSandbox && <span title={text('common.mediaSandboxHint')}>{text('index.badgeSandbox')}</span>}
          {artifact.id !== undefined && (
            <CopyButton labelled label={text('common.mediaCopyResultId')} value={() => artifact.id ?? ''} />
          )}
          {card.id !== undefined && (
            <CopyButton labelled label={text('common.mediaCopyTaskId')} value={() => card.id ?? ''} />
          )}
        </p>
      </div>
    </>
  )
}
