import {Suspense, useState} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {FlowIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from './chat.context.tsx'

/** Opens what an answer went through. `index`: its position in the conversation. */
export function FlowButton({index}: {index: number}) {
  const text = useText()
  const {WhatHappened} = useChat()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton size="sm" label={text('chat.whatHappened')} icon={<FlowIcon />} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <WhatHappened index={index} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
