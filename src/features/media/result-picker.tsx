import {Suspense, use, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {takeFocus} from '#ui/take-focus.ts'
import {useText} from '#ui/text.tsx'
import {ResultImage} from './feed/result-image.tsx'
import {Still} from './feed/still-image.tsx'
import {useMedia, type OwnResult} from './media.context.ts'
import styles from './result-picker.module.css'

type ResultPickerProps = {medium: 'image' | 'video' | 'audio'; onPick: (url: string) => void; onClose: () => void}

/** Chooses one of the user's own results as an input, so that nothing has to be uploaded again. */
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

/** Number of results in the page at first, and with each wish for more. */
const pageSize = 60

type ResultsProps = Pick<ResultPickerProps, 'medium' | 'onPick'> & {results: Promise<OwnResult[]>}

function Results({results: loadResults, medium, onPick}: ResultsProps) {
  const text = useText()
  const results = use(loadResults)
  const [pages, setPages] = useState(1)
  if (results.length === 0) return <EmptyState title={text('common.mediaPickEmpty')} />
  const firstNew = (pages - 1) * pageSize
  return (
    <ul className={styles.results}>
      {results.slice(0, pages * pageSize).map(({url, previewUrl, title}, index) => (
        <li key={url}>
          <button
            type="button"
            // the button that asked for it may be gone
            ref={firstNew > 0 && index === firstNew ? takeFocus : undefined}
            aria-label={title}
            title={title}
            onClick={() => onPick(url)}
          >
            {medium === 'audio' ? (
              <span dir="auto">{title}</span>
            ) : medium === 'video' && previewUrl === undefined ? (
              <Still url={url} />
            ) : (
              <ResultImage url={previewUrl ?? url} alt="" />
            )}
          </button>
        </li>
      ))}
      {results.length > pages * pageSize && (
        <li className={styles.older}>
          <Button onClick={() => setPages(pages + 1)}>{text('common.mediaOlder')}</Button>
        </li>
      )}
    </ul>
  )
}
