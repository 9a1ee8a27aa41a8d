import type {CSSProperties} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {WriteIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {keepLoadedRatio} from './loaded-ratios.ts'
import {columnsOf, fillsBox, isSeen, mostShown, ownRatio, type Shape} from './ratio.ts'
import {ResultImage} from './result-image.tsx'
import {ResultVideo} from './result-video.tsx'
import styles from './result.module.css'

/** Positions of what can be looked at among all that a task made. */
export const seenResults = ({reading: {artifacts}}: Card): number[] =>
  artifacts.flatMap((artifact, position) => (isSeen(artifact) ? [position] : []))

type TaskResultProps = {
  card: Card
  title: string
  shape: Shape
  /** The one of several that was chosen, by its position among all results. */
  chosen?: number | undefined
  onOpen: (index: number) => void
  /** The size of a result that its answer did not tell was seen for the first time. */
  onMeasured?: () => void
  /** Puts a text into the prompt. */
  onUseText: (text: string) => void
}

/** The result of a task: one image or video, up to four images side by side, or texts. */
export function TaskResult({card, title, shape, chosen, onOpen, onMeasured, onUseText}: TaskResultProps) {
  const text = useText()
  const {artifacts} = card.reading
  const visibleArtifacts = artifacts.filter(isSeen)
  if (visibleArtifacts.length === 0) return <TextResults artifacts={artifacts} onUse={onUseText} />
  const alt = (index: number) =>
    visibleArtifacts.length === 1
      ? text('common.mediaResultAlt', {prompt: title})
      : text('common.mediaResultAltOf', {prompt: title, number: index + 1, count: visibleArtifacts.length})
  const view = (artifact: Artifact, index: number) => {
    const position = artifacts.indexOf(artifact)
    const openLabel = text(artifact.medium === 'video' ? 'common.mediaPlayOf' : 'common.mediaOpenOf', {
      title: alt(index),
    })
    // a video fills its card, as its viewer shows all of it; of an image such as a QR code nothing may be cut off
    const fit = artifact.medium === 'video' || fillsBox(artifact, shape) ? 'cover' : 'contain'
    const url = artifact.previewUrl ?? artifact.url
    const onSize =
      url === undefined || ownRatio(artifact) !== undefined
        ? undefined
        : (width: number, height: number) => {
            if (keepLoadedRatio(url, width, height)) onMeasured?.()
          }
    return artifact.medium === 'video' ? (
      <ResultVideo
        artifact={artifact}
        alt={alt(index)}
        openLabel={openLabel}
        fit={fit}
        onSize={onSize}
        onOpen={() => onOpen(position)}
      />
    ) : (
      <ResultImage url={url} alt={alt(index)} fit={fit} onSize={onSize}>
        <button type="button" className={styles.open} aria-label={openLabel} onClick={() => onOpen(position)} />
      </ResultImage>
    )
  }
  const [only] = visibleArtifacts
  if (visibleArtifacts.length === 1 && only !== undefined) return view(only, 0)
  const shownArtifacts = visibleArtifacts.slice(0, mostShown)
  // as: custom properties are not in the type of a style
  const style = {'--columns': columnsOf(shape)} as CSSProperties
  return (
    <span className={styles.images} style={style}>
      {shownArtifacts.map((artifact, index) => (
        <span
          key={artifact.id ?? artifact.url ?? index}
          data-chosen={artifacts.indexOf(artifact) === chosen || undefined}
        >
          {view(artifact, index)}
        </span>
      ))}
      {visibleArtifacts.length > shownArtifacts.length && (
        <bdi dir="ltr" className={styles.badge}>
          +{visibleArtifacts.length - shownArtifacts.length}
        </bdi>
      )}
    </span>
  )
}

/** Texts that were made, such as descriptions of an image: each can be copied and used as a prompt. */
function TextResults({artifacts, onUse}: {artifacts: readonly Artifact[]; onUse: (text: string) => void}) {
  const text = useText()
  const texts = artifacts.flatMap(({text: description}) => (description === undefined ? [] : [description]))
  return (
    <ul>
      {texts.map((description, index) => (
        <li key={index}>
          <p dir="auto">{description}</p>
          <span>
            <Button size="sm" variant="ghost" icon={<WriteIcon size={14} />} onClick={() => onUse(description)}>
              {text('common.mediaUseAsPrompt')}
            </Button>
            <CopyButton value={() => description} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Whether a card shows texts instead of something to look at. */
export const isTextual = ({reading}: Card) =>
  reading.artifacts.length > 0 && reading.artifacts.every(({medium}) => medium === 'text')
