import {useRef, useState, type DragEvent, type HTMLAttributes} from 'react'
import type {Medium} from '#contract/media/media-tool.ts'
import {classNames} from '#ui/class-names.ts'
import {Field} from '#ui/forms/field.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon, RetryIcon} from '#ui/icons.tsx'
import {MoveIcon, UploadIcon} from '#ui/media-icons.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {Tooltip} from '#ui/tooltip.tsx'
import {hasFiles} from '../dragged-files.ts'
import {stillOf} from '../media-url.ts'
import {helpOf, type FieldProps} from './field-props.ts'
import styles from './fields.module.css'
import {useReorder} from './use-reorder.ts'

const addText = {
  image: 'common.mediaAddImage',
  video: 'common.mediaAddVideo',
  audio: 'common.mediaAddAudio',
  text: 'common.mediaAddFile',
} as const satisfies Record<Medium, MessageId>

/** A file of a field: on the server, on its way, or refused. */
export type FileItem = {
  /** Of its upload; of a file that was there before, its address. */
  id: string
  name: string
  medium: Medium
  /** What shows of it: the local file, else the one on the server. Only ever the source of an `img` or `video`. */
  previewUrl: string | undefined
} & ({state: 'done' | 'waiting'} | {state: 'running'; percent: number} | {state: 'failed' | 'refused'; problem: string})

export type FilesFieldProps = FieldProps<'files'> & {
  items: readonly FileItem[]
  onAdd: (files: readonly File[]) => void
  onRemove: (id: string) => void
  onRetry: (id: string) => void
  /** To another place among the items, counted from 0. */
  onMove: (id: string, place: number) => void
  /** Opens the choice among own results; absent where there are none of the kind. */
  onPick: (() => void) | undefined
}

/** One file or several: chosen, dropped, or picked from own results; each with its progress and a way back. */
export function FilesField(props: FilesFieldProps) {
  const {id, field, toolText, error, isNeeded, items, onAdd, onRemove, onRetry, onMove, onPick} = props
  const text = useText()
  const picker = useRef<HTMLInputElement>(null)
  const group = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const isSingle = field.most === 1
  const taken = items.filter(({state}) => state !== 'refused').length
  const isFull = taken >= field.most
  const label = toolText(field.label)
  const help = helpOf(props)
  const problems = items.flatMap((item) => ('problem' in item ? [item] : []))
  const remove = (id: string) => {
    onRemove(id)
    // its button goes with it
    group.current?.focus()
  }
  const [moved, setMoved] = useState<{id: string}>()
  const isMovable = !isSingle && items.length > 1
  const ids = items.map((item) => item.id)
  const {itemProps, handleProps} = useReorder({
    ids,
    onMove: (item, place) => {
      onMove(item, place)
      setMoved({id: item})
    },
  })
  const movedItem = items.find((item) => item.id === moved?.id)
  const placeValues = (item: FileItem) => ({name: item.name, place: ids.indexOf(item.id) + 1, count: items.length})
  const drop = (event: DragEvent) => {
    setOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    onAdd([...event.dataTransfer.files])
  }
  return (
    <Field
      id={id}
      label={label}
      isGroup
      end={
        isSingle ? (
          isNeeded === true || items.length > 0 ? undefined : (
            text('common.mediaOptional')
          )
        ) : (
          <bdi dir="ltr">
            {taken} / {field.most}
          </bdi>
        )
      }
      help={help}
      error={error}
    >
      <div
        ref={group}
        role="group"
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        className={classNames(styles.files, isOver && styles.over)}
        data-single={isSingle || undefined}
        onDragOver={(event) => {
          if (!hasFiles(event)) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {items.map((item) => (
          <FileTile
            key={item.id}
            item={item}
            onRemove={remove}
            onRetry={onRetry}
            {...(isMovable && itemProps(item.id))}
          >
            {isMovable && (
              <Tooltip text={text('common.mediaMoveHelp')}>
                <button
                  type="button"
                  className={styles.move}
                  aria-label={text('common.mediaMoveFile', placeValues(item))}
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
        {!isFull && (
          <button
            type="button"
            className={classNames(styles.drop, field.medium === 'audio' && styles.wide)}
            aria-describedby={`${id}-label`}
            onClick={() => picker.current?.click()}
          >
            <UploadIcon />
            {text(addText[field.medium])}
          </button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          tabIndex={-1}
          aria-label={label}
          multiple={field.most > 1}
          accept={field.types.join(',')}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            if (files.length > 0) onAdd(files)
          }}
        />
      </div>
      {isMovable && (
        <>
          <span id={`${id}-move`} hidden>
            {text('common.mediaMoveHelp')}
          </span>
          <span role="status" className="visually-hidden">
            {movedItem !== undefined && text('common.mediaFileMoved', placeValues(movedItem))}
          </span>
        </>
      )}
      {problems.map((item) => (
        <p key={item.id} role="alert" className={styles.problem}>
          <bdi>{item.name}</bdi>: {item.problem}
        </p>
      ))}
      {onPick !== undefined && !isFull && (
        <button type="button" className={styles.pick} onClick={onPick}>
          {text('common.mediaPick')}
        </button>
      )}
    </Field>
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
