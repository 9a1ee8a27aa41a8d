import {useSelector} from '@xstate/react'
import {messageFiles, messageText, stays, type RecordMessage} from '#domain/conversation.ts'
import {withoutThoughts} from '#domain/without-thoughts.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {LongText} from './markdown/long-text.tsx'
import message from './message.module.css'
import {addressName} from './message-view.tsx'
import styles from './thread.module.css'

/**
 * A conversation where the words of its buttons and names did not come: what was said is there to be read and copied,
 * as it was written. The message field goes on.
 */
export function PlainThread({actor, onRetry}: {actor: ConversationActor; onRetry: () => void}) {
  const text = useText()
  const messages = useSelector(actor, selectMessages)
  const answer = useSelector(actor, selectAnswerText)
  return (
    <div className={styles.frame}>
      {/* a view that scrolls is reached by keys */}
      <div className={styles.scroller} role="region" aria-label={text('index.crash')} tabIndex={0}>
        <div className={styles.column}>
          <ErrorState title={text('index.crash')} onRetry={onRetry} />
          {messages
            .filter((each) => each.role !== 'system' && stays(each))
            .map((each, index) => (
              <PlainMessage key={index} role={each.role} words={wordsOf(each)} />
            ))}
          {answer !== undefined && <PlainMessage role="assistant" words={withoutThoughts(answer)} />}
        </div>
      </div>
    </div>
  )
}

/** The text of a message, and below it the names of its files. */
const wordsOf = ({role, content}: RecordMessage) =>
  [
    role === 'user' ? messageText(content) : withoutThoughts(messageText(content)),
    ...messageFiles(content).map(({url}) => addressName(url) ?? url),
  ]
    .filter((words) => words !== '')
    .join('\n')

function PlainMessage({role, words}: {role: RecordMessage['role']; words: string}) {
  const isQuestion = role === 'user'
  return (
    <article className={isQuestion ? message.user : message.answer}>
      <div className={isQuestion ? message.bubble : message.plain} dir="auto">
        <LongText text={words} />
      </div>
    </article>
  )
}
