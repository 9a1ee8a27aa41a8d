import {useLayoutEffect, useRef, useState} from 'react'
import {newDraftKey, useChat, type ChatPlace} from './chat.context.tsx'
import {Composer, type ComposerHandle} from './composer.tsx'
import styles from './chat-screen.module.css'
import {Dock} from './dock.tsx'
import type {Draft} from './draft.types.ts'
import {Greeting} from './greeting.tsx'
import {chooseModel} from './model-catalogue.ts'

/**
 * The chat before questions can be asked. Typed text is kept, also through a sign-in; a question sent meanwhile goes
 * out once the chat is ready.
 */
export function EarlyScreen({place: {group}}: {place: ChatPlace}) {
  const {actors, isOpening, files, drafts, models, takeEarlyQuestion} = useChat()
  const composer = useRef<ComposerHandle>(null)
  const {offered, chosen} = chooseModel(group, [], models.read(group))
  const draftKey = newDraftKey(group)
  const [isAsked, setIsAsked] = useState(false)
  /** A question that was asked before the app was there stays asked until it is changed. */
  const askedEarly = useRef<string>(undefined)
  const keep = (draft: Draft | undefined) => {
    drafts.write(draftKey, draft)
    setIsAsked(draft?.isAsked === true)
  }
  useLayoutEffect(() => {
    const early = takeEarlyQuestion()
    if (early === undefined) return
    if (early.isAsked) askedEarly.current = early.text
    if (early.text !== '') composer.current?.insert(early.text)
    else if (early.isFocused) composer.current?.focus()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- taken once, when the screen takes the place of the first paint
  }, [])
  return (
    <div className={styles.screen} data-empty="true">
      <Greeting />
      <Dock onSuggest={(suggestion) => composer.current?.insert(suggestion)}>
        <Composer
          ref={composer}
          busy={isAsked}
          canStop={isAsked}
          canSend={!isAsked && (isOpening || actors !== undefined)}
          isFirst
          model={chosen}
          models={offered}
          draftKey={draftKey}
          draft={drafts.read(draftKey)}
          files={files}
          onDraft={(draft) => {
            if (draft?.text !== askedEarly.current) askedEarly.current = undefined
            keep(draft && {...draft, isAsked: draft.text === askedEarly.current})
          }}
          onSend={(text) => {
            keep({references: [], ...drafts.read(draftKey), text, isAsked: true})
            return false
          }}
          onStop={() => {
            askedEarly.current = undefined
            const draft = drafts.read(draftKey)
            keep(draft && {...draft, isAsked: false})
          }}
          onEditLast={() => undefined}
          onChooseModel={(name) => models.write(group, name)}
        />
      </Dock>
    </div>
  )
}
