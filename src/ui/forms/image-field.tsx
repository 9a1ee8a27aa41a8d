import {useId, useRef, type ReactNode} from 'react'
import {Button} from '../button.tsx'
import {ImageOr} from '../image-or.tsx'
import {useText} from '../text.tsx'
import {Field} from './field.tsx'
import styles from './image-field.module.css'

type ImageFieldProps = {
  label: string
  help: string
  error: string | undefined
  /** Address of the image; empty if there is none. */
  url: string
  /** MIME types that can be chosen. */
  types: readonly string[]
  /** Stands for the image. Default: the image itself. */
  preview?: ReactNode
  isUploading: boolean
  /** Another image is uploading: one at a time. */
  isWaiting: boolean
  onChoose: (file: File) => void
  onCancel: () => void
  onRemove: () => void
}

/** An image of a site or a user, with buttons to replace and remove it. */
export function ImageField(props: ImageFieldProps) {
  const {label, help, error, url, types, preview, isUploading, isWaiting, onChoose, onCancel, onRemove} = props
  const text = useText()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Field id={id} label={label} isGroup help={help} error={error}>
      <div role="group" aria-labelledby={`${id}-label`} className={styles.image}>
        {preview ?? (/^(?:https?:|\/(?!\/))/.test(url) && <ImageOr className={styles.shown} sources={[url]} />)}
        {isUploading ? (
          <>
            <span role="status">{text('site.uploading')}</span>
            <Button size="sm" onClick={onCancel}>
              {text('common.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button size="sm" disabled={isWaiting} onClick={() => picker.current?.click()}>
              {text(url === '' ? 'site.upload' : 'site.replace')}
            </Button>
            {url !== '' && (
              <Button size="sm" variant="ghost" onClick={onRemove}>
                {text('site.removePicture')}
              </Button>
            )}
          </>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={label}
          accept={types.join(',')}
          onChange={({currentTarget}) => {
            const [file] = currentTarget.files ?? []
            if (file !== undefined) onChoose(file)
            // allows choosing the same file again
            currentTarget.value = ''
          }}
        />
      </div>
    </Field>
  )
}
