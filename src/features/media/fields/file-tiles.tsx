import {useState, type HTMLAttributes} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon, RetryIcon} from '#ui/icons.tsx'
import {MoveIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {Tooltip} from '#ui/tooltip.tsx'
import {stillOf} from '../media-url.ts'
import type {FileItem, FilesFieldProps} from './files-field.types.ts'
import styles from './fields.module.css'
import {useReorder} from './use-reorder.ts'

type FileTilesProps = Pick<FilesFieldProps, 'id' | 'items' | 'onRemove' | 'onRetry' | 'onMove'> & {
  /** Their order counts, and can be changed. */
  isMovable: boolean
}

/** The files of a field, in order. */
export function FileTiles({id, items, isMovable, onRemove, onRetry, onMove}: FileTilesProps) {
  const text = useText()
  const [lastMove, setLastMove] = useState<{id: string}>()
  const ids = items.map((item) => item.id)
  const {itemProps, handleProps} = useReorder({
    ids,
    onMove: (item, position) => {
      onMove(item, position)
      setLastMove({id: item})
    },
  })
  const movedItem = items.find((item) => item.id === lastMove?.id)
  const positionValues = (item: FileItem) => ({name: item.name, place: ids.indexOf(item.id) + 1, count: items.length})
  return (
    <>
      {items.map((item) => (
        <FileTile
          key={item.id}
          item={item}
          onRemove={onRemove}
          onRetry={onRetry}
          {...(isMovable && itemProps(item.id))}
        >
          {isMovable && (
            <Tooltip text={text('common.mediaMoveHelp')}>
              <button
                type="button"
                className={styles.move}
                aria-label={text('common.mediaMoveFile', positionValues(item))}
                aria-describedby={`${id}-move`}
                {...handleProps(item.id)}
              >
                <MoveIcon size={14} />
                {ids.indexOf(item.id) + 1}
              </button>
            </Tooltip>
          )}
        </FileTile>
      ))}
      {isMovable && (
        <>
          <span id={`${id}-move`} hidden>
            {text('common.mediaMoveHelp')}
          </span>
          <span role="status" className="visually-hidden">
            {movedItem !== undefined && text('common.mediaFileMoved', positionValues(movedItem))}
          </span>
        </>
      )}
    </>
  )
}

type FileTileProps = HTMLAttributes<HTMLDivElement> & {
  item: FileItem
  onRemove: (id: string) => void
  onRetry: (id: string) => void
}

function FileTile({item, onRemove, onRetry, children, ...rest}: FileTileProps) {
  const text = useText()
  const percent = item.state === 'running' ? item.percent : 0
  return (
    <div {...rest} className={styles.file} data-state={item.state}>
      <Preview item={item} />
      {(item.state === 'running' || item.state === 'waiting') && (
        <span
          className={styles.progress}
          role="progressbar"
          aria-label={text('common.mediaUploading', {name: item.name})}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{inlineSize: `${percent}%`}} />
        </span>
      )}
      {item.state === 'failed' && (
        <span className={styles.again}>
          <IconButton
            label={text('common.mediaUploadAgain', {name: item.name})}
            icon={<RetryIcon />}
            onClick={() => onRetry(item.id)}
          />
        </span>
      )}
      <bdi className={styles.name} title={item.name}>
        {item.name}
      </bdi>
      {children}
      <button
        type="button"
        className={styles.remove}
        aria-label={text('common.mediaRemove', {name: item.name})}
        onClick={() => onRemove(item.id)}
      >
        <CloseIcon size={14} />
      </button>
    </div>
  )
}

function Preview({item}: {item: FileItem}) {
  if (item.previewUrl === undefined || item.state === 'failed' || item.state === 'refused') return null
  if (item.medium === 'image') return <img src={item.previewUrl} alt="" decoding="async" draggable={false} />
  if (item.medium === 'video')
    return <video src={stillOf(item.previewUrl)} muted preload="metadata" aria-hidden="true" />
  return null
}
