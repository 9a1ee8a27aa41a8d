import {Suspense} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {InfoIcon} from '#ui/icons.tsx'
import {Popover} from '#ui/popover.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from './chat.context.tsx'

/** Opens how an answer came about; nothing where the back end cannot tell. */
export function AnswerDetailsButton({message}: {message: string}) {
  const text = useText()
  const {AnswerDetails} = useChat()
  if (AnswerDetails === undefined) return null
  const label = text('chat.details')
  return (
    <Popover
      label={label}
      trigger={(trigger) => <IconButton {...trigger} size="sm" label={label} icon={<InfoIcon />} />}
    >
      {() => (
        <Suspense>
          <AnswerDetails message={message} />
        </Suspense>
      )}
    </Popover>
  )
}
