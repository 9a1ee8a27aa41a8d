import {useDeferredValue, type ReactNode} from 'react'
import type {SharedMessage} from '#contract/shares.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {messageText} from '#domain/conversation.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {siteNameOf} from '#domain/site-name.ts'
import {withoutThoughts} from '#domain/without-thoughts.ts'
import type {
  SharedConversationEvent,
  SharedConversationSnapshot,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {Markdown} from './markdown/markdown.tsx'
import message from './message.module.css'
import {References} from './message-view.tsx'
import {modelLabel} from './model-label.ts'
import {QuestionText} from './question-text.tsx'
import styles from './shared-thread.module.css'

type SharedThreadProps = {snapshot: SharedConversationSnapshot; send: (event: SharedConversationEvent) => void}

/** The page of a shared link: a bar that names the site, and what the link shows. */
export function SharedThread({snapshot, send}: SharedThreadProps) {
  const text = useText()
  const site = snapshot.context.shared?.site
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <span className={styles.site}>
          <bdi>{siteNameOf(site)}</bdi>
        </span>
        {/* another document: the app starts with the way to its sign-in */}
        <a className={buttonClass('outline', 'sm')} href="/">
          {text('index.newChat')}
        </a>
      </header>
      <main>
        <Content snapshot={snapshot} send={send} />
      </main>
    </div>
  )
}

function Content({snapshot, send}: SharedThreadProps): ReactNode {
  const text = useText()
  const {shared} = snapshot.context
  if (shared !== undefined) return <Conversation {...shared.conversation} />
  if (snapshot.matches('missing'))
    return (
      <div className={styles.centre}>
        <h1 className={styles.title}>{text('share.missing')}</h1>
        <p className={styles.line}>{text('share.missingHelp')}</p>
      </div>
    )
  if (snapshot.matches('failed'))
    return (
      <div className={styles.centre}>
        <ErrorState title={text('share.readFailed')} onRetry={() => send({type: 'conversation.load'})} />
      </div>
    )
  return (
    <div className={styles.column} role="status">
      <span className="visually-hidden">{text('common.loading')}</span>
      <Skeleton blockSize={240} />
    </div>
  )
}

type ConversationProps = NonNullable<SharedConversationSnapshot['context']['shared']>['conversation']

/** Title of a shared conversation, of its first question where it has none. */
export const sharedTitle = ({title, messages}: ConversationProps): string =>
  conversationTitle({title: title ?? undefined, messages})

/** Messages that are shown at once, more than fill a screen. Those after them follow without a pause for the reader. */
const firstMessages = 40

function Conversation(conversation: ConversationProps) {
  const text = useText()
  const {messages, updated_at: time} = conversation
  const shownMessages = useDeferredValue(messages, messages.slice(0, firstMessages))
  const [before, after] = text('share.readerNote', {time: '\0'}).split('\0')
  return (
    <div className={styles.column}>
      <h1 className={styles.title} dir="auto">
        {sharedTitle(conversation) || text('chat.untitled')}
      </h1>
      <p className={styles.note}>
        {before}
        <bdi dir="ltr" className={styles.time}>
          {formatDateTime(time)}
        </bdi>
        {after} {text('chat.disclaimer')}
      </p>
      {shownMessages.map((each, index) => (
        <div key={index} className={styles.row}>
          {each.role === 'user' ? <Question shared={each} /> : <Answer {...each} />}
        </div>
      ))}
    </div>
  )
}

function Question({shared}: {shared: SharedMessage}) {
  const text = useText()
  const {content, withheld} = shared
  return (
    <article className={message.user}>
      <h2 className="visually-hidden">{text('chat.you')}</h2>
      <References content={content} />
      <div className={message.bubble}>
        <QuestionText words={messageText(content)} message={shared} />
      </div>
      <Withheld count={withheld} />
    </article>
  )
}

/** Files that the owner did not share. */
function Withheld({count}: {count: SharedMessage['withheld']}) {
  const text = useText()
  return count == null ? null : <p className={styles.withheld}>{text('share.withheld', {count})}</p>
}

function Answer({content, withheld, state, outcome, model, sandbox, thought_ms: thought}: SharedMessage) {
  const text = useText()
  const answer = messageText(content)
  const copiedAnswer = withoutThoughts(answer)
  const isCut = state === 'failed' || outcome === 'truncated'
  return (
    <article className={message.answer}>
      <h2 className="visually-hidden">{text('chat.assistant')}</h2>
      {answer !== '' && <Markdown text={answer} cut={isCut} thoughtMs={thought ?? undefined} />}
      <References content={content} />
      <Withheld count={withheld} />
      {isCut && (
        <p className={message.quiet}>
          {text(
            outcome === 'truncated' ? 'chat.truncated' : outcome === 'stopped' ? 'chat.stopped' : 'chat.interrupted',
          )}
        </p>
      )}
      <div className={message.actions} data-shown>
        {copiedAnswer !== '' && <CopyButton label={text('chat.copyMarkdown')} value={() => copiedAnswer} />}
        {sandbox === true ? (
          <span className={message.sandbox}>{text('chat.sandbox')}</span>
        ) : (
          model != null && (
            <bdi className={message.model} dir="ltr">
              {modelLabel(model, [])}
            </bdi>
          )
        )}
      </div>
    </article>
  )
}
