import {useRef} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {AttachIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'

type AttachButtonProps = {
  /** Else images alone can be chosen. */
  takesFiles: boolean
  onFiles: (files: FileList | null) => void
}

/** Opens the browser's choice of files. */
export function AttachButton({takesFiles, onFiles}: AttachButtonProps) {
  const text = useText()
  const picker = useRef<HTMLInputElement>(null)
  // not by React: files may be chosen after another field replaced this one
  const listen = (input: HTMLInputElement | null) => {
    picker.current = input
    if (input === null) return
    input.onchange = () => {
      onFiles(input.files)
      input.value = ''
    }
  }
  return (
    <>
      <input ref={listen} type="file" multiple hidden {...(takesFiles ? {} : {accept: 'image/*'})} />
      <IconButton label={text('chat.attach')} icon={<AttachIcon size={20} />} onClick={() => picker.current?.click()} />
    </>
  )
}
