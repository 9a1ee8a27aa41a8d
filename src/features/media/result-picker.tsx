import {Dialog} from '#ui/dialog.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {useText} from '#ui/text.tsx'
import {ResultImage} from './feed/result-image.tsx'
import {useMedia} from './media.context.tsx'
import styles from './result-picker.module.css'

type ResultPickerProps = {medium: 'image' | 'video' | 'audio'; onPick: (url: string) => void; onClose: () => void}

/** Chooses one of the person's own results as an input, so that nothing has to be uploaded again. */
export function ResultPicker({medium, onPick, onClose}: ResultPickerProps) {
  const text = useText()
  const {ownResults} = useMedia()
  const results = ownResults(medium)
  return (
    <Dialog open title={text('common.mediaPickTitle')} onClose={onClose} width={720}>
      {results.length === 0 ? (
        <EmptyState title={text('common.mediaPickEmpty')} />
      ) : (
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
      )}
    </Dialog>
  )
}
