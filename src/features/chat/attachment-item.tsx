import {useLayoutEffect, useRef, type MouseEvent} from 'react'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon, RetryIcon} from '#ui/icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {AttachmentChip} from './attachment-chip.tsx'
import {attachmentNote} from './attachment-note.ts'
import {isFinal, isQuoted, type Attachment} from './attachment.ts'
import styles from './composer-extras.module.css'
import type {Uploads} from './draft-uploads.ts'
import {focusFieldOf} from './focus-field-of.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {modelRefusalOf} from './model-refusal.ts'
import {useThumbnail} from './use-thumbnail.ts'

type AttachmentItemProps = {
  uploads: Uploads
  model: OfferedModel | undefined
  /** The text of a file that was pasted goes into the field. */
  onPasteText: (text: string) => void
  attachment: Attachment
  /** Address of our own copy, if it is an image that is uploaded. */
  uploadedImage: string | undefined
}

/**
 * On a phone what is refused goes to the start of its row, and the row along: it would stay at the file that stood first.
 */
function useShownProblem(hasProblem: boolean) {
  const item = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const row = item.current?.parentElement
    if (hasProblem && row != null) row.scrollLeft = 0
  }, [hasProblem])
  return item
}

/** A file of the message that is written: on its way, ready, failed, lost, or unsupported by the model. */
export function AttachmentItem({attachment, uploadedImage, uploads, model, onPasteText}: AttachmentItemProps) {
  const text = useText()
  const {locale} = useLanguage()
  const thumbnail = useThumbnail(attachment.file)
  const isSentAsText = isQuoted(attachment, model)
  const hasFailed = (attachment.state === 'failed' || attachment.state === 'lost') && !isSentAsText
  const hasProblem = hasFailed || modelRefusalOf(attachment, model) !== undefined
  const item = useShownProblem(hasProblem)
  return (
    <li ref={item} className={hasProblem ? styles.refused : undefined}>
      <AttachmentChip
        name={attachment.name}
        thumbnail={thumbnail.state === 'shown' ? thumbnail.url : thumbnail.state === 'none' ? uploadedImage : undefined}
        note={<span role="status">{attachmentNote(text, locale, attachment, model)}</span>}
        share={attachment.state === 'uploading' && !isSentAsText ? attachment.share : undefined}
        problem={hasProblem}
      >
        {attachment.pasted !== undefined && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              uploads.remove(attachment.id)
              onPasteText(attachment.pasted ?? '')
            }}
          >
            {text('chat.pasteAsText')}
          </Button>
        )}
        {hasFailed && !isFinal(attachment) && <RetryButton attachment={attachment} uploads={uploads} />}
        <RemoveButton name={attachment.name} onRemove={() => uploads.remove(attachment.id)} />
      </AttachmentChip>
    </li>
  )
}

type RetryButtonProps = {attachment: Attachment; uploads: Uploads}

/** Uploads a file again. The bytes of a lost one are chosen anew, unless they are a text that was pasted. */
function RetryButton({attachment: {id, name, state, pasted}, uploads}: RetryButtonProps) {
  const text = useText()
  const picker = useRef<HTMLInputElement>(null)
  const retry = ({currentTarget}: MouseEvent<HTMLElement>) => {
    if (state === 'lost' && pasted === undefined) return picker.current?.click()
    focusFieldOf(currentTarget)
    if (state !== 'lost') uploads.retry(id)
    else if (pasted !== undefined) {
      uploads.remove(id)
      uploads.addText(pasted)
    }
  }
  const replace = ([file]: readonly File[]) => {
    if (file === undefined) return
    uploads.remove(id)
    uploads.add([file])
  }
  return (
    <>
      {state === 'lost' && (
        <input ref={picker} type="file" hidden onChange={({target}) => replace([...(target.files ?? [])])} />
      )}
      <IconButton size="sm" label={text('chat.retryFile', {name})} icon={<RetryIcon size={14} />} onClick={retry} />
    </>
  )
}

type RemoveButtonProps = {name: string; onRemove: () => void}

export function RemoveButton({name, onRemove}: RemoveButtonProps) {
  const text = useText()
  return (
    <IconButton
      size="sm"
      label={text('chat.removeFile', {name})}
      icon={<CloseIcon size={14} />}
      onClick={({currentTarget}) => {
        focusFieldOf(currentTarget)
        onRemove()
      }}
    />
  )
}
