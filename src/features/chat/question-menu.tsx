import {Suspense, useRef, useState} from 'react'
import {waitForField} from '#browser/typed-ahead.ts'
import {RetryIcon} from '#ui/icons.tsx'
import {TextIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'
import {AgainModels, type Again} from './again-models.tsx'
import {MessageMenu, useLinkEntries, type LinkedProps} from './message-menu.tsx'

/**
 * The other actions on a message of the user; `question`: its words, empty where it has files only. They are shown as
 * they were written, so that they are copied so as well.
 */
export function QuestionMenu({question, again, ...props}: LinkedProps & {question: string; again: Again | undefined}) {
  const text = useText()
  const copying = useCopy()
  const anchor = useRef<HTMLButtonElement>(null)
  // undefined until it was opened, which loads it
  const [isChoosing, setChoosing] = useState<boolean>()
  const close = () => setChoosing(false)
  const {copies, branches, removals} = useLinkEntries(props, copying.copy)
  const copyText = {
    id: 'text',
    label: text('chat.copyText'),
    icon: <TextIcon />,
    onSelect: () => copying.copy(question),
  }
  const choose = {
    id: 'with',
    label: text('chat.answerWith'),
    icon: <RetryIcon />,
    onSelect: () => {
      waitForField()
      setChoosing(true)
    },
  }
  const entries = [
    ...(question === '' ? [] : [copyText]),
    ...copies,
    ...(again === undefined ? [] : [choose]),
    ...branches,
    ...removals,
  ]
  return (
    <>
      <MessageMenu align="end" anchor={anchor} entries={entries} copying={copying} />
      <Suspense>
        {again !== undefined && isChoosing !== undefined && (
          <AgainModels {...{again, anchor}} isOpen={isChoosing} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
