import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {Field} from '#ui/forms/field.tsx'
import {ClipIcon} from '#ui/viewer-icons.tsx'
import {useText} from '#ui/text.tsx'
import {stillOf} from '../media-url.ts'
import {useCards} from '../use-cards.ts'
import {helpOf, textOf, type FieldProps} from './field-props.ts'
import styles from './fields.module.css'

const videoPath = /\.(?:mp4|webm|mov|m4v)(?:[?#]|$)/i

/** The name of a result of this tool; undefined while it is not in the list. */
function useResultName(id: string): string | undefined {
  for (const {reading, prompt} of useCards()) {
    const artifact = reading.artifacts.find((each) => each.id === id)
    if (artifact !== undefined) return artifact.title ?? (prompt === '' ? undefined : prompt)
  }
  return undefined
}

/** The earlier result that is worked on. An action of that result set it; here it can only be taken away. */
export function TaskRefField(props: FieldProps<'taskRef'>) {
  const {id, field, form, toolText, error, onChange} = props
  const text = useText()
  const value = textOf(form[field.key])
  const name = useResultName(value)
  if (value === '') return null
  const preview = field.previewKey === undefined ? '' : textOf(form[field.previewKey])
  const clear = () => {
    onChange(field.key, undefined)
    if (field.previewKey !== undefined) onChange(field.previewKey, undefined)
  }
  return (
    <Field id={id} label={toolText(field.label)} isGroup help={helpOf(props)} error={error}>
      <div className={styles.reference} role="group" aria-labelledby={`${id}-label`}>
        {preview === '' ? (
          <ClipIcon />
        ) : videoPath.test(preview) ? (
          <video src={stillOf(preview)} muted preload="metadata" aria-hidden="true" />
        ) : (
          <img src={preview} alt="" decoding="async" />
        )}
        <span>
          <bdi dir={name === undefined ? 'ltr' : 'auto'}>{name ?? value}</bdi>
        </span>
        <IconButton
          size="sm"
          label={text('common.mediaRemove', {name: toolText(field.label)})}
          icon={<CloseIcon size={14} />}
          onClick={clear}
        />
      </div>
    </Field>
  )
}
