import {useRef, useState, type ReactNode, type Ref} from 'react'
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

// the files and how they change positions, with the first of them
const fileTiles = lazyModule(async () => (await import('./file-tiles.tsx')).FileTiles)

const addText = {
  image: 'common.mediaAddImage',
  video: 'common.mediaAddVideo',
  audio: 'common.mediaAddAudio',
  text: 'common.mediaAddFile',
} as const satisfies Record<Medium, MessageId>

/** One file or several: chosen, dropped, or picked from own results; each with its progress and a way back. */
export function FilesField(props: FilesFieldProps) {
  const {id, field, toolText, error, isNeeded, items, onAdd, onPick, onRemove, onRetry, onMove} = props
  const text = useText()
  const group = useRef<HTMLDivElement>(null)
  const FileTiles = useLazy(fileTiles, items.length > 0)
  const isSingle = field.most === 1
  const count = items.filter(({state}) => state !== 'refused').length
  const isFull = count >= field.most
  const label = toolText(field.label)
  const optional = isNeeded === true || items.length > 0 ? undefined : text('common.mediaOptional')
  const remove = (id: string) => {
    onRemove(id)
    // its button goes with it
    group.current?.focus()
  }
  return (
    <Field
      id={id}
      label={label}
      isGroup
      end={isSingle ? optional : <Count count={count} most={field.most} />}
      help={helpOf(props)}
      error={error}
    >
      <DropArea ref={group} labelId={`${id}-label`} isSingle={isSingle} onAdd={onAdd}>
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
      </DropArea>
      <Problems items={items} />
      {onPick !== undefined && !isFull && (
        <button type="button" className={styles.pick} onClick={onPick}>
          {text('common.mediaPick')}
        </button>
      )}
    </Field>
  )
}

/** How many of the files that may be chosen there are. */
function Count({count, most}: {count: number; most: number}) {
  return (
    <bdi dir="ltr">
      {count} / {most}
    </bdi>
  )
}

type DropAreaProps = Pick<FilesFieldProps, 'onAdd'> & {
  ref: Ref<HTMLDivElement>
  labelId: string
  isSingle: boolean
  children: ReactNode
}

/** Takes the files that are dropped on it. */
function DropArea({ref, labelId, isSingle, onAdd, children}: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  return (
    <div
      ref={ref}
      role="group"
      tabIndex={-1}
      aria-labelledby={labelId}
      className={classNames(styles.files, isOver && styles.over)}
      data-single={isSingle || undefined}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onAdd([...event.dataTransfer.files])
      }}
    >
      {children}
    </div>
  )
}

/** Why files were refused, or did not arrive. */
function Problems({items}: Pick<FilesFieldProps, 'items'>) {
  return items.map(
    (item) =>
      'problem' in item && (
        <p key={item.id} role="alert" className={styles.problem}>
          <bdi>{item.name}</bdi>: {item.problem}
        </p>
      ),
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
