import {memo, useContext, type ReactNode} from 'react'
import type {MessageContent} from '#contract/chat.ts'
import {messageFiles, messageText, type RecordMessage} from '#domain/conversation.ts'
import {formatFileSize} from '#domain/file-size.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {withoutThoughts} from '#domain/without-thoughts.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {RetryIcon} from '#ui/icons.tsx'
import {EditIcon} from '#ui/later-icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import type {Again} from './again-models.tsx'
import {AnswerFoot} from './answer-foot.tsx'
import {AnswerMenu} from './answer-menu.tsx'
import {AnswerText, isGrowing, type AnswerPhase} from './answer-text.tsx'
import {AttachmentChip} from './attachment-chip.tsx'
import {ErrorCard, type AnswerProblem} from './error-card.tsx'
import type {GoneMessage} from './gone-message.ts'
import {MediaPolicyContext} from './markdown/media-origins.ts'
import {MarkdownImage} from './markdown/markdown-image.tsx'
import {safeLink} from './markdown/safe-link.ts'
import {MessageActions, MessageTime} from './message-actions.tsx'
import type {MessageChangeActions} from './message-menu.tsx'
import styles from './message.module.css'
import {QuestionMenu} from './question-menu.tsx'
import {QuestionText} from './question-text.tsx'
import type {Voice} from './use-voice.ts'

/** The last part of an address, readable. */
function fileName(url: URL): string {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** The file name in an address; undefined where there is none. */
export const addressName = (address: string): string | undefined =>
  // `URL.parse` is missing before Chrome 126 and Safari 18
  URL.canParse(address, location.href) ? fileName(new URL(address, location.href)) || undefined : undefined

/** The note of a file that was sent: its size, where the server or this device knows it. */
export const sizeNote = (bytes: number | undefined, locale: string) =>
  bytes === undefined ? undefined : formatFileSize(bytes, locale)

export function References({content}: {content: MessageContent}) {
  const text = useText()
  const policy = useContext(MediaPolicyContext)
  const {locale} = useLanguage()
  const files = messageFiles(content)
  if (files.length === 0) return null
  return (
    <div className={styles.references}>
      {files.map(({url: address, size}, index) => {
        const url = safeLink(address, policy.pageOrigin)
        const name = (url && fileName(url)) || text('chat.file')
        return isImageUrl(address) ? (
          <MarkdownImage key={index} source={address} description={name} />
        ) : (
          <AttachmentChip key={index} name={name} href={url?.href} note={sizeNote(size, locale)} />
        )
      })}
    </div>
  )
}

export type UserMessageProps = {
  message: RecordMessage
  /** Address of the message on this site; absent while only this device has it. */
  link: string | undefined
  /** Replaces it while it is edited. */
  editor: ReactNode
  onEdit: (() => void) | undefined
  /** Has it answered; undefined where it has an answer, or waits for one. */
  onAnswer: (() => void) | undefined
  /** Has it answered by another model. */
  again: Again | undefined
  /** Nothing follows it: its actions are always visible. */
  isLast: boolean
  /** Controls of its versions. */
  pager: ReactNode
} & MessageChangeActions

/** A question: a bubble at the inline end, its attachments above. */
export const UserMessage = memo(function UserMessage({
  message,
  link,
  editor,
  onEdit,
  onAnswer,
  again,
  isLast,
  pager,
  onBranch,
  onRemove,
}: UserMessageProps) {
  const text = useText()
  const {content, created_at: at} = message
  const question = messageText(content)
  return (
    <article className={styles.user}>
      <h2 className="visually-hidden">{text('chat.you')}</h2>
      {editor ?? (
        <>
          <References content={content} />
          <div className={styles.bubble}>
            <QuestionText words={question} message={message} />
          </div>
          <MessageActions isShown={isLast}>
            {onAnswer !== undefined && (
              <Button size="sm" icon={<RetryIcon size={14} />} onClick={onAnswer}>
                {text('chat.answerQuestion')}
              </Button>
            )}
            {onEdit !== undefined && (
              <IconButton size="sm" label={text('chat.edit')} icon={<EditIcon />} onClick={onEdit} data-edit />
            )}
            <CopyButton label={text('chat.copyMessage')} value={() => question} />
            {pager}
            <QuestionMenu {...{question, link, again, onBranch, onRemove}} />
            <MessageTime at={at ?? undefined} />
          </MessageActions>
        </>
      )}
    </article>
  )
})

export type AnswerMessageProps = {
  actor: ConversationActor
  /** Empty while it grows: `AnswerText` shows it then. Answers of other apps have files. */
  content: MessageContent
  /** The server's id of it; absent while the server has given it none. */
  id: string | undefined
  /** As that of a user's message. */
  link: string | undefined
  phase: AnswerPhase
  /** Stopped here; the server may go on. */
  unconfirmed: boolean
  /** Whole but for its end: the model reached the longest answer it may give. */
  truncated: boolean
  problem: AnswerProblem | undefined
  /** The answer was refused: this is deleted. */
  gone: GoneMessage | undefined
  /** Label of the model that wrote it. */
  model: string | undefined
  /** When it was asked, in unix seconds. */
  at: number | undefined
  /** Milliseconds that its thought took, as the server measured it. */
  thoughtMs: number | undefined
  sandbox: boolean
  /** The last answer: its actions are always visible. */
  isLast: boolean
  addCreditsHref: string
  /** Reads it aloud; `index`: its position in the conversation. */
  voice: Voice
  index: number
  onRetry: (() => void) | undefined
  onRegenerate: (() => void) | undefined
  onContinue: (() => void) | undefined
  onEditQuestion: (() => void) | undefined
  again: Again | undefined
  /** Controls of its versions. */
  pager: ReactNode
} & MessageChangeActions

/** Reasoning is no answer. */
const isEmptyAnswer = (answer: string) => withoutThoughts(answer).trim() === ''

type QuietLineId =
  | 'chat.reconnecting'
  | 'chat.stopping'
  | 'chat.stopped'
  | 'chat.stopUnconfirmed'
  | 'chat.truncated'
  | 'chat.emptyAnswer'

/** The quiet line that says how the answer stands or ended. */
function quietLineOf({phase, content, truncated, unconfirmed}: AnswerMessageProps): QuietLineId | undefined {
  if (phase === 'reconnecting') return 'chat.reconnecting'
  if (phase === 'stopping') return 'chat.stopping'
  if (phase === 'stopped') return unconfirmed ? 'chat.stopUnconfirmed' : 'chat.stopped'
  if (truncated) return 'chat.truncated'
  const isEmpty = isEmptyAnswer(messageText(content)) && messageFiles(content).length === 0
  return phase === 'finished' && isEmpty ? 'chat.emptyAnswer' : undefined
}

/** An answer: bare text; below it how it ended, and its actions. */
export const AnswerMessage = memo(function AnswerMessage(props: AnswerMessageProps) {
  const {content, phase, truncated, problem, model, sandbox, isLast, onRetry, onRegenerate} = props
  const text = useText()
  const answer = messageText(content)
  const growing = isGrowing(phase)
  const isCut = phase !== 'finished' || truncated
  const line = quietLineOf(props)
  const copiedAnswer = withoutThoughts(answer)
  // without a text there is nothing to go on from
  const onContinue = isEmptyAnswer(answer) ? undefined : props.onContinue
  return (
    <article className={styles.answer} aria-busy={growing}>
      <h2 className="visually-hidden">{text('chat.assistant')}</h2>
      <AnswerText
        actor={props.actor}
        phase={phase}
        text={answer}
        id={props.id}
        thoughtMs={props.thoughtMs}
        cut={isCut}
      />
      <References content={content} />
      {line !== undefined && (
        <p className={styles.quiet}>
          {text(line)}
          {problem === undefined && onContinue !== undefined && (
            <Button size="sm" onClick={onContinue}>
              {text('chat.continue')}
            </Button>
          )}
          {problem === undefined && onRetry !== undefined && (
            <Button size="sm" onClick={onRetry}>
              {text('common.retry')}
            </Button>
          )}
          {phase === 'finished' && isEmptyAnswer(answer) && onRegenerate !== undefined && (
            <Button size="sm" onClick={onRegenerate}>
              {text('chat.regenerate')}
            </Button>
          )}
        </p>
      )}
      {problem !== undefined && (
        <ErrorCard
          problem={problem}
          gone={props.gone}
          addCreditsHref={props.addCreditsHref}
          onContinue={onContinue}
          onRetry={onRetry}
          onEdit={props.onEditQuestion}
        />
      )}
      {!growing && (
        <MessageActions isShown={isLast || answer === ''}>
          {copiedAnswer !== '' && <CopyButton label={text('chat.copyMarkdown')} value={() => copiedAnswer} />}
          {onRegenerate !== undefined && (
            <IconButton size="sm" label={text('chat.regenerate')} icon={<RetryIcon />} onClick={onRegenerate} />
          )}
          {props.pager}
          <AnswerMenu
            answer={copiedAnswer}
            id={props.id}
            index={props.index}
            link={props.link}
            voice={props.voice}
            again={props.again}
            onBranch={props.onBranch}
            onRemove={props.onRemove}
          />
          <AnswerFoot id={props.id} model={model} at={props.at} sandbox={sandbox} />
        </MessageActions>
      )}
    </article>
  )
})
