import {useLayoutEffect, useRef, useState} from 'react'
import {newDraftKey, useChat, type ChatLocation} from './chat.context.tsx'
import {Composer, type ComposerHandle} from './composer.tsx'
import styles from './chat-screen.module.css'
import {Dock} from './dock.tsx'
import type {Draft} from './draft.types.ts'
import {Greeting} from './greeting.tsx'
import {chooseModel} from './model-catalogue.ts'

const filesOf = (draft: Draft | undefined) => draft?.references.map(({url}) => url).join()

/**
 * The chat before questions can be asked. Typed text is kept, also through a sign-in; a question sent meanwhile goes
 * out once the chat is ready.
 */
export function EarlyScreen({location: {group}}: {location: ChatLocation}) {
  const {actors, isOpening, files, drafts, models, takeEarlyQuestion} = useChat()
  const composer = useRef<ComposerHandle>(null)
  const {offered, chosen} = chooseModel(group, [], models.read(group))
  const draftKey = newDraftKey(group)
  const read = () => drafts.read(draftKey)
  const isAsked = read()?.isAsked === true
  // the store does not say when this changes
  const [, setDraft] = useState(read)
  const keep = (next: Draft | undefined) => {
    drafts.write(draftKey, next)
    setDraft(next)
  }
  useLayoutEffect(() => {
    const early = takeEarlyQuestion()
    if (early === undefined) return
    const {text, isFocused} = early
    // behind a text that waited here it is another question
    if (early.isAsked && read() === undefined) keep({text, references: [], isAsked: true})
    // a text that another app shares raises no keyboard over itself
    if (text !== '') composer.current?.insert(text, isFocused)
    else if (isFocused) composer.current?.focus()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- taken once, when the screen replaces the first paint
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
          draft={read()}
          files={files}
          onDraft={(next) => {
            const draft = read()
            // what is asked stays so until it is changed
            keep(next?.text === draft?.text && filesOf(next) === filesOf(draft) ? draft : next)
          }}
          onSend={({question}) => {
            keep({references: [], ...read(), text: question, isAsked: true})
            return false
          }}
          onStop={() => {
            const draft = read()
            keep(draft && {...draft, isAsked: false})
          }}
          onEditLast={() => undefined}
          onChooseModel={(name) => models.write(group, name)}
        />
      </Dock>
    </div>
  )
}
