import {useRef, useState, type DragEvent} from 'react'
import type {Medium} from '#contract/media/media-tool.ts'
import {classNames} from '#ui/class-names.ts'
import {Field} from '#ui/forms/field.tsx'
import {UploadIcon} from '#ui/media-icons.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import {hasFiles} from '../dragged-files.ts'
import {helpOf} from './field-props.ts'
import type {FilesFieldProps} from './files-field.types.ts'
import styles from './fields.module.css'

// the files and how they change places, with the first of them
const fileTiles = lazyModule(async () => (await import('./file-tiles.tsx')).FileTiles)

const addText = {
  image: 'common.mediaAddImage',
  video: 'common.mediaAddVideo',
  audio: 'common.mediaAddAudio',
  text: 'common.mediaAddFile',
} as const satisfies Record<Medium, MessageId>

/** One file or several: chosen, dropped, or picked from own results; each with its progress and a way back. */
export function FilesField(props: FilesFieldProps) {
  const {id, field, toolText, error, isNeeded, items, onAdd, onRemove, onRetry, onMove, onPick} = props
  const text = useText()
  const group = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const FileTiles = useLazy(fileTiles, items.length > 0)
  const isSingle = field.most === 1
  const taken = items.filter(({state}) => state !== 'refused').length
  const isFull = taken >= field.most
  const label = toolText(field.label)
  const optional = isNeeded === true || items.length > 0 ? undefined : text('common.mediaOptional')
  const problems = items.flatMap((item) => ('problem' in item ? [item] : []))
  const remove = (id: string) => {
    onRemove(id)
    // its button goes with it
    group.current?.focus()
  }
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
          optional
        ) : (
          <bdi dir="ltr">
            {taken} / {field.most}
          </bdi>
        )
      }
      help={helpOf(props)}
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
        {FileTiles !== undefined && items.length > 0 && (
          <FileTiles
            id={id}
            items={items}
            isMovable={!isSingle && items.length > 1}
            onRemove={remove}
            onRetry={onRetry}
            onMove={onMove}
          />
        )}
        <FilePicker field={field} label={label} labelId={`${id}-label`} isFull={isFull} onAdd={onAdd} />
      </div>
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

type FilePickerProps = Pick<FilesFieldProps, 'field' | 'onAdd'> & {label: string; labelId: string; isFull: boolean}

/** The button that opens the browser's choice of files, while one has room. */
function FilePicker({field, label, labelId, isFull, onAdd}: FilePickerProps) {
  const text = useText()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      {!isFull && (
        <button
          type="button"
          className={classNames(styles.drop, field.medium === 'audio' && styles.wide)}
          aria-describedby={labelId}
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
    </>
  )
}
