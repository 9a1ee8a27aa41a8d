import {Suspense, use, useState} from 'react'
import {Dialog} from '#ui/dialog.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import {ResultImage} from './feed/result-image.tsx'
import {useMedia, type OwnResult} from './media.context.tsx'
import styles from './result-picker.module.css'

type ResultPickerProps = {medium: 'image' | 'video' | 'audio'; onPick: (url: string) => void; onClose: () => void}

/** Chooses one of the person's own results as an input, so that nothing has to be uploaded again. */
export function ResultPicker({medium, onPick, onClose}: ResultPickerProps) {
  const text = useText()
  const {ownResults} = useMedia()
  const [results] = useState(() => ownResults(medium))
  return (
    <Dialog open title={text('common.mediaPickTitle')} onClose={onClose} width={720}>
      <Suspense fallback={<Spinner />}>
        <Results results={results} medium={medium} onPick={onPick} />
      </Suspense>
    </Dialog>
  )
}

type ResultsProps = Pick<ResultPickerProps, 'medium' | 'onPick'> & {results: Promise<OwnResult[]>}

function Results({results: asked, medium, onPick}: ResultsProps) {
  const text = useText()
  const results = use(asked)
  if (results.length === 0) return <EmptyState title={text('common.mediaPickEmpty')} />
  return (
    <ul className={styles.results}>
      {results.map(({url, previewUrl, title}) => (
        <li key={url}>
          <button type="button" aria-label={title} title={title} onClick={() => onPick(url)}>
            {medium === 'audio' ? (
              <span dir="auto">{title}</span>
            ) : medium === 'video' && previewUrl === undefined ? (
              <video src={url} preload="metadata" muted aria-hidden="true" tabIndex={-1} />
            ) : (
              <ResultImage url={previewUrl ?? url} alt="" />
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}
