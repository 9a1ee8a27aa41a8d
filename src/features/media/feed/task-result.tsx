import type {CSSProperties} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {WriteIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import type {Card} from './card.ts'
import {columnsOf, fillsBox, mostShown, type Shape} from './ratio.ts'
import {ResultImage} from './result-image.tsx'
import {ResultVideo} from './result-video.tsx'
import styles from './result.module.css'

type TaskResultProps = {
  card: Card
  title: string
  shape: Shape
  onOpen: (index: number) => void
  /** Puts a text into the prompt. */
  onUseText: (text: string) => void
}

/** What a task made: one picture or video, up to four pictures side by side, or texts. */
export function TaskResult({card, title, shape, onOpen, onUseText}: TaskResultProps) {
  const text = useText()
  const {artifacts} = card.reading
  const seen = artifacts.filter(({medium}) => medium === 'image' || medium === 'video')
  if (seen.length === 0) return <TextResults artifacts={artifacts} onUse={onUseText} />
  const alt = (index: number) =>
    seen.length === 1
      ? text('common.mediaResultAlt', {prompt: title})
      : text('common.mediaResultAltOf', {prompt: title, number: index + 1, count: seen.length})
  const view = (artifact: Artifact, index: number) => {
    const place = artifacts.indexOf(artifact)
    const openLabel = text(artifact.medium === 'video' ? 'common.mediaPlayOf' : 'common.mediaOpenOf', {
      title: alt(index),
    })
    // a film fills its card, as its viewer shows all of it; of a picture such as a QR code nothing may be cut off
    const fit = artifact.medium === 'video' || fillsBox(artifact, shape) ? 'cover' : 'contain'
    return artifact.medium === 'video' ? (
      <ResultVideo artifact={artifact} alt={alt(index)} openLabel={openLabel} fit={fit} onOpen={() => onOpen(place)} />
    ) : (
      <ResultImage url={artifact.previewUrl ?? artifact.url} alt={alt(index)} fit={fit}>
        <button type="button" className={styles.open} aria-label={openLabel} onClick={() => onOpen(place)} />
      </ResultImage>
    )
  }
  const [only] = seen
  if (seen.length === 1 && only !== undefined) return view(only, 0)
  const shown = seen.slice(0, mostShown)
  // as: custom properties are not in the type of a style
  const style = {'--columns': columnsOf(shape)} as CSSProperties
  return (
    <span className={styles.images} style={style}>
      {shown.map((artifact, index) => (
        <span key={artifact.id ?? artifact.url ?? index}>{view(artifact, index)}</span>
      ))}
      {seen.length > shown.length && (
        <bdi dir="ltr" className={styles.badge}>
          +{seen.length - shown.length}
        </bdi>
      )}
    </span>
  )
}

/** Texts that were made, such as descriptions of a picture: each can be copied and used as a prompt. */
function TextResults({artifacts, onUse}: {artifacts: readonly Artifact[]; onUse: (text: string) => void}) {
  const text = useText()
  const texts = artifacts.flatMap(({text: written}) => (written === undefined ? [] : [written]))
  return (
    <ul>
      {texts.map((written, index) => (
        <li key={index}>
          <p dir="auto">{written}</p>
          <span>
            <Button size="sm" variant="ghost" icon={<WriteIcon size={14} />} onClick={() => onUse(written)}>
              {text('common.mediaUseAsPrompt')}
            </Button>
            <CopyButton value={() => written} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Whether a card shows texts instead of something to look at. */
export const isTextual = ({reading}: Card) =>
  reading.artifacts.length > 0 && reading.artifacts.every(({medium}) => medium === 'text')
