import {Suspense, useRef, useState} from 'react'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat} from './chat.context.tsx'
import {MessageTime} from './message-actions.tsx'
import styles from './message.module.css'

const PopoverOverlay = lazyView(async () => (await import('#ui/overlays/popover-overlay.tsx')).PopoverOverlay)

type AnswerFootProps = {
  /** The server's id of the answer; undefined where there is nothing to tell of it. */
  id: string | undefined
  /** Label of the model that wrote it. */
  model: string | undefined
  /** When it was asked, in unix seconds. */
  at: number | undefined
  sandbox: boolean
}

/** Model and time of an answer; where its server tells them, a press shows its tokens and what it cost. */
export function AnswerFoot({id, model, at, sandbox}: AnswerFootProps) {
  const text = useText()
  const {AnswerDetails} = useChat()
  const button = useRef<HTMLButtonElement>(null)
  // undefined until it is opened: it gives the focus back while it closes
  const [isOpen, setIsOpen] = useState<boolean>()
  const facts = (
    <>
      {sandbox && <span className={styles.sandbox}>{text('chat.sandbox')}</span>}
      {model !== undefined && !sandbox && (
        <span className={styles.model}>
          <bdi dir="ltr">{model}</bdi>
        </span>
      )}
      <MessageTime at={at} />
    </>
  )
  if (AnswerDetails === undefined || id === undefined) return <span className={styles.facts}>{facts}</span>
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.facts}
        aria-haspopup="dialog"
        aria-expanded={isOpen === true}
        onClick={() => setIsOpen(isOpen !== true)}
      >
        <span className="visually-hidden">{text('chat.details')}</span>
        {facts}
      </button>
      <Suspense>
        {isOpen !== undefined && (
          <PopoverOverlay
            label={text('chat.details')}
            align="start"
            open={isOpen}
            onClose={() => setIsOpen(false)}
            anchor={button}
          >
            <Suspense fallback={<Skeleton inlineSize="min(320px, 80vw)" blockSize={150} />}>
              <AnswerDetails message={id} />
            </Suspense>
          </PopoverOverlay>
        )}
      </Suspense>
    </>
  )
}
